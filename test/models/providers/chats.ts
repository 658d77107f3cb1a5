import { readFile } from 'node:fs/promises';
import type { ModelChoice, Provider } from '../../../domain/contracts/models.ts';
import { createAnthropicChat } from '../../../adapters/models/anthropic/index.ts';
import { createOpenAiChat } from '../../../adapters/models/openai/index.ts';
import type { ChatModel, ChatRequest } from '../../../adapters/models/port.ts';
import type { ProviderServer } from '../../support/provider-server/start-provider-server.ts';

export type ChatProvider = Exclude<Provider, 'local'>;

/** What stands in every prompt, and may stand in no message. */
export const secret = 'CONFIDENTIAL text of a document';

export const request: ChatRequest = {
  system: `You rewrite questions. ${'Keep every code as it is. '.repeat(4)}`,
  user: `Question: what is the late fee? ${secret}`,
  schema: {
    name: 'rewrite',
    json: {
      type: 'object',
      properties: { query: { type: 'string', maxLength: 200 } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  maxOutputTokens: 300,
};

export interface ChatSetup {
  choice?: Partial<ModelChoice>;
  timeoutMs?: number;
  idleTimeoutMs?: number;
  /** Another address than the scripted server's. */
  baseURL?: string;
  apiKey?: string | null;
}

/** One token a word: the estimates of a test can be told in advance. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

export function chatOf(provider: ChatProvider, server: ProviderServer, setup: ChatSetup = {}): ChatModel {
  const { timeoutMs, idleTimeoutMs, apiKey = 'key-of-a-test' } = setup;
  const deps = { countTokens: countWords, costOf: () => null, timeoutMs, idleTimeoutMs };
  const model = provider === 'anthropic' ? 'claude-sonnet-5-5' : 'gpt-6-sol';
  const choice = { provider, model, maxOutputTokens: 1000, temperature: null, effort: null, ...setup.choice };
  if (provider === 'anthropic') {
    const settings = { apiKey: apiKey ?? '', baseURL: setup.baseURL ?? server.anthropicUrl };
    return createAnthropicChat(settings, choice, deps);
  }
  return createOpenAiChat({ apiKey, baseURL: setup.baseURL ?? server.openaiUrl, provider }, choice, deps);
}

/** Both calls of a chat model in one form. */
export const ways = ['complete', 'stream'] as const;
export type Way = (typeof ways)[number];

export function ask(
  chat: ChatModel,
  way: Way,
  {
    signal = new AbortController().signal,
    onText = () => {},
  }: { signal?: AbortSignal; onText?: (piece: string) => void } = {},
) {
  return way === 'complete' ? chat.complete(request, signal) : chat.stream(request, { onText, signal });
}

export function fixture(name: string): Promise<string> {
  return readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
