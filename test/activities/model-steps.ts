import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { StoredPassage } from '../../adapters/index/port.ts';
import { createAnthropicChat } from '../../adapters/models/anthropic/index.ts';
import { createOpenAiChat } from '../../adapters/models/openai/index.ts';
import { ModelError, type ModelProviders, type PairScorer } from '../../adapters/models/port.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { loadPrompts } from '../../prompts/load.ts';
import { fakeEmbedding } from '../ingestion/fake-embedding.ts';
import type { ProviderServer } from '../support/provider-server/start-provider-server.ts';

export const access = { tenant: 'test', user: 'tester', groups: ['staff'] };

export const choices: Record<'openai' | 'anthropic' | 'local' | 'crossEncoder', ModelChoice> = {
  openai: { provider: 'openai', model: 'large', maxOutputTokens: 1000, temperature: null, effort: null },
  anthropic: { provider: 'anthropic', model: 'large', maxOutputTokens: 1000, temperature: null, effort: null },
  local: { provider: 'local', model: 'rules', maxOutputTokens: 1000, temperature: null, effort: null },
  crossEncoder: { provider: 'local', model: 'cross-encoder', maxOutputTokens: 64, temperature: null, effort: null },
};

/** The official SDKs against the scripted server; a word is a token, a token a thousandth of a dollar. */
export function modelsAt(server: ProviderServer, scorer?: PairScorer): ModelProviders {
  const deps = {
    countTokens: (text: string) => text.split(/\s+/).length,
    costOf: ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
      (inputTokens + outputTokens) / 1000,
  };
  const openai = { apiKey: 'scripted', baseURL: server.openaiUrl, provider: 'openai' as const };
  const anthropic = { apiKey: 'scripted', baseURL: server.anthropicUrl };
  return {
    chat: (choice) =>
      choice.provider === 'anthropic'
        ? createAnthropicChat(anthropic, choice, deps)
        : createOpenAiChat(openai, choice, deps),
    pairScorer: () => {
      if (scorer) return scorer;
      throw new ModelError('not_configured', 'no scorer', { retryable: false });
    },
    close: () => Promise.resolve(),
  };
}

/** No model may be used. */
export const noModels: ModelProviders = {
  chat: () => {
    throw new ModelError('not_configured', 'no key', { retryable: false });
  },
  pairScorer: () => {
    throw new ModelError('not_configured', 'no path', { retryable: false });
  },
  close: () => Promise.resolve(),
};

const embedding = fakeEmbedding();

/** What the steps need, over passages of one sentence a line. */
export async function dependencies(models: ModelProviders, passages: StoredPassage[] = []) {
  return {
    index: {
      document: () => Promise.resolve(null),
      passages: (_: unknown, ids: string[]) =>
        Promise.resolve(ids.flatMap((id) => passages.filter((passage) => passage.id === id))),
    },
    embedding,
    models,
    prompts: await loadPrompts(),
  };
}

/** A stored passage whose strips are its lines. */
export async function stored(id: string, lines: string[], context = `Manual › ${id}`): Promise<StoredPassage> {
  const text = lines.join('\n');
  let at = 0;
  const strips = lines.map((line) => {
    const strip = { start: at, end: at + line.length, kind: 'sentence' as const, header: null };
    at += line.length + 1;
    return strip;
  });
  const [vector = null, ...stripVectors] = await embedding.embedPassages([text, ...lines]);
  const metadata = { title: 'Manual', uri: `file:${id}`, language: 'en', status: 'active' as const, authority: 50 };
  return {
    id,
    documentId: `d-${id}`,
    version: 'v1',
    ordinal: 0,
    start: 0,
    end: text.length,
    text,
    context,
    section: id,
    page: null,
    strips,
    title: 'Manual',
    uri: `file:${id}`,
    metadata: { ...metadata, effectiveFrom: null, effectiveTo: null, supersedes: null, groups: [], tags: [] },
    vector,
    stripVectors,
  };
}

export function run<I, O>(step: (input: I) => Promise<O>, input: I): Promise<O> {
  return new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 }, { logger: new DefaultLogger('ERROR') }).run(
    step,
    input,
  );
}
