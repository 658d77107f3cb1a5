import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { EmbeddingModel } from '../port.ts';
import { dimensions, modelId, textTokensPerWindow } from './e5.ts';
import { EmbeddingPool } from './embedding-pool.ts';
import { EmbeddingThread } from './embedding-thread.ts';
import { locateModelFiles } from './model-files.ts';
import type { ModelLocation } from './model-files.ts';
import { loadTokenizer } from './tokenizer.ts';

export type LocalEmbeddingOptions = ModelLocation & {
  /** Worker threads at most, each about 110 MB while it lives; the lesser of 3 and the cores by default. */
  threads?: number;
};

type Vectors = LRUCache<string, Float32Array>;

/** A sentence recurs from question to question, a whole passage is embedded once. */
const longestCachedPassage = 400;

/**
 * e5-small-v2 (int8 ONNX): 384 dimensions, mean pooling, unit length. Texts are embedded on worker threads and never share a
 * run, so a vector depends on its text alone, bit for bit.
 *
 * `countTokens` counts the text itself, without prefix and special tokens; up to `maxTokens` (508) a text is embedded in one
 * window. A longer text is not cut: its vector is the mean of its windows' vectors weighted by their tokens.
 * @throws ModelError `not_installed` when a file is missing, `bad_model` when one is damaged.
 */
export async function createLocalEmbedding(options: LocalEmbeddingOptions): Promise<EmbeddingModel> {
  const files = await locateModelFiles(options);
  const tokenizer = await loadTokenizer(files.tokenizerPath);
  const start = () => EmbeddingThread.start(files);
  const threads = options.threads ?? Math.min(3, availableParallelism());
  const pool = new EmbeddingPool(await start(), { start, threads });
  const queries: Vectors = new LRUCache({ max: 1000 });
  const sentences: Vectors = new LRUCache({ max: 4000 });

  return {
    id: modelId,
    dimensions,
    maxTokens: textTokensPerWindow,

    async embedQuery(text, signal) {
      signal?.throwIfAborted();
      const known = queries.get(text);
      if (known !== undefined) return known.slice();
      const [vector] = await pool.embed('query', [text], signal);
      if (vector === undefined) throw new RangeError('no vector for the query');
      queries.set(text, vector);
      return vector.slice();
    },

    async embedPassages(texts, signal) {
      signal?.throwIfAborted();
      const known = new Map<string, Float32Array>();
      for (const text of texts) {
        const vector = sentences.get(text);
        if (vector !== undefined) known.set(text, vector);
      }
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      const vectors = await pool.embed('passage', missing, signal);
      for (const [index, text] of missing.entries()) {
        const vector = vectors[index];
        if (vector === undefined) throw new RangeError('no vector for a passage');
        known.set(text, vector);
        if (text.length <= longestCachedPassage) sentences.set(text, vector);
      }
      return texts.map((text) => (known.get(text) ?? new Float32Array()).slice());
    },

    countTokens: (text) => tokenizer.encode(text).ids.length,
    close: () => pool.close(),
  };
}
