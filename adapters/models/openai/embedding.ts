import { LRUCache } from 'lru-cache';
import { modelId } from '../../../domain/rules/model-id.ts';
import { weightedMean } from '../local/windows.ts';
import type { EmbeddingModel } from '../port.ts';
import { textWindows, type TextWindow } from '../text-windows.ts';
import { batchesOf, type BatchLimits } from './embedding-batches.ts';
import { vectorRequest } from './embedding-request.ts';
import type { OpenAiProvider } from './request.ts';

export interface OpenAiEmbeddingSettings {
  /** Null for a compatible server that asks for none. */
  apiKey: string | null;
  /** Null: OpenAI's own. */
  baseUrl: string | null;
  provider: OpenAiProvider;
  model: string;
  dimensions: number;
}

export interface EmbeddingDependencies {
  countTokens: (text: string) => number;
  /** The longest that a request may take, in ms. */
  timeoutMs?: number | undefined;
}

const limits: Record<OpenAiProvider, BatchLimits & { window: number }> = {
  // OpenAI reads 8,192 tokens of a text, and 300,000 in 2,048 texts of a request.
  openai: { window: 8191, texts: 512, tokens: 100_000 },
  // Most open models read 512 tokens or more, and some servers cut off the rest without a word. Text Embeddings Inference takes 32 texts.
  'openai-compatible': { window: 512, texts: 32, tokens: 8_192 },
};

/** Vectors of windows that are kept: of the last questions, and of what a failed step would otherwise pay again. */
const kept = 1000;

/**
 * An embedding model of OpenAI's or of a compatible server, which gets texts as they are: questions and passages alike. Unit length.
 *
 * `countTokens` counts as the dependencies do; up to `maxTokens` a text is embedded in one window. A longer text is not cut: its vector is the
 * mean of its windows' vectors weighted by their tokens. A call makes as many requests, one after the other, as the limits of one ask for;
 * when one fails, the call fails, and the vectors of those before it are kept for the next one. Retries belong to Temporal.
 * Calls throw ModelError (`bad_model` where the vectors have another length than `dimensions`), or the signal's reason once it is aborted.
 */
export function createOpenAiEmbedding(
  { apiKey, baseUrl, provider, model, dimensions }: OpenAiEmbeddingSettings,
  { countTokens, timeoutMs = 55_000 }: EmbeddingDependencies,
): EmbeddingModel {
  const { window: maxTokens, ...batch } = limits[provider];
  const settings = { apiKey, baseURL: baseUrl ?? undefined, provider };
  const request = vectorRequest({ settings, model, dimensions, timeoutMs });
  const recent = { queries: recentVectors(), passages: recentVectors() };

  async function embed(texts: string[], known: VectorCache, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const windowsOf = new Map(texts.map((text) => [text, textWindows(text, maxTokens, countTokens)]));
    const windows = new Map([...windowsOf.values()].flat().map((window) => [window.text, window]));
    const vectors = new Map<string, Float32Array>();
    const open: TextWindow[] = [];
    for (const window of windows.values()) {
      const vector = known.get(window.text);
      if (vector === undefined) open.push(window);
      else vectors.set(window.text, vector);
    }
    for (const part of batchesOf(open, batch)) {
      const found = await request(
        part.map(({ text }) => text),
        signal,
      );
      for (const [n, vector] of found.entries()) {
        const { text = '' } = part[n] ?? {};
        vectors.set(text, vector);
        known.set(text, vector);
      }
    }
    return texts.map((text) => vectorOf(windowsOf.get(text) ?? [], vectors));
  }

  return {
    id: modelId({ provider, model }),
    dimensions,
    maxTokens,
    async embedQuery(text, signal) {
      const [vector] = await embed([text], recent.queries, signal);
      if (vector === undefined) throw new RangeError('no vector for the query');
      return vector;
    },
    embedPassages: (texts, signal) => embed(texts, recent.passages, signal),
    countTokens,
    close: () => Promise.resolve(),
  };
}

type VectorCache = LRUCache<string, Float32Array>;

function recentVectors(): VectorCache {
  return new LRUCache({ max: kept });
}

function vectorOf(windows: TextWindow[], vectors: Map<string, Float32Array>): Float32Array {
  const parts = windows.map(({ text, tokens }) => {
    const vector = vectors.get(text);
    if (vector === undefined) throw new RangeError('no vector for a window');
    return { vector, tokens };
  });
  return weightedMean(parts).slice();
}
