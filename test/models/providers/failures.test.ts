import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ModelError, type ModelErrorCode } from '../../../adapters/models/port.ts';
import type { RawAnswer } from '../../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { ask, chatOf, failureOf, fixture, secret, ways, type ChatProvider } from './chats.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => server.clear());

type Expected = [name: string, code: ModelErrorCode, retryable: boolean, retryAfterMs?: number];

const common: Expected[] = [
  ['context too long', 'context_too_long', false],
  ['bad request', 'invalid_request', false],
  ['key', 'unauthorized', false],
  ['payment', 'insufficient_quota', false],
  ['permission', 'forbidden', false],
  ['model', 'not_found', false],
  ['timeout', 'timeout', true],
  ['conflict', 'conflict', true],
  ['too large', 'too_large', false],
  ['unprocessable', 'invalid_request', false],
  ['quota', 'insufficient_quota', false],
  ['server error', 'server_error', true],
  ['bad gateway', 'unavailable', true],
  ['gateway timeout', 'timeout', true],
  ['overloaded', 'overloaded', true],
];
const ofAnthropic: Expected[] = [
  ...common,
  ['no credit', 'insufficient_quota', false],
  ['spend limit', 'insufficient_quota', false],
  ['rate limit', 'rate_limited', true, 12_000],
  ['unavailable', 'overloaded', true, 3000],
];
const ofOpenAi: Expected[] = [
  ...common,
  ['context too long (vLLM before 0.10)', 'context_too_long', false],
  ['context too long (vLLM)', 'context_too_long', false],
  ['context too long (LM Studio)', 'context_too_long', false],
  ['context too long (llama.cpp)', 'context_too_long', false],
  ['content filter', 'content_filtered', false],
  ['model (Ollama)', 'not_found', false],
  ['rate limit', 'rate_limited', true, 1200],
  ['too many tokens at once', 'too_large', false],
  ['unavailable', 'overloaded', true, 20_000],
];

const files: Record<ChatProvider, string> = {
  anthropic: 'anthropic-errors.json',
  openai: 'openai-errors.json',
  'openai-compatible': 'openai-errors.json',
};

describe.each([
  ['anthropic', ofAnthropic],
  ['openai', ofOpenAi],
  ['openai-compatible', ofOpenAi],
] as const)('%s', (provider, rows) => {
  let recorded: Record<string, RawAnswer>;
  beforeAll(async () => {
    recorded = JSON.parse(await fixture(files[provider])) as Record<string, RawAnswer>;
  });

  test('every recorded failure has its row', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(recorded).sort());
  });

  describe.each(ways)('%s', (way) => {
    test.each(rows)('%s: %s', async (...[name, code, retryable, retryAfterMs]) => {
      const answer = recorded[name];
      if (!answer) throw new Error(`no recorded failure ${name}`);
      const sent = echoing(answer);
      expect(JSON.stringify(sent.body)).toContain(secret);
      server.respondWith(() => sent);
      const failure = await failureOf(ask(chatOf(provider, server), way));
      expect(failure).toBeInstanceOf(ModelError);
      expect(failure).toMatchObject({ code, retryable, retryAfterMs: retryAfterMs ?? null, usage: null });
      expect(server.calls()).toBe(1);
      const { message, cause } = failure as ModelError;
      expect(message).toContain(`${provider} answered ${answer.status} for `);
      expect(message).not.toContain(secret);
      expect(message).not.toContain('sk-proj');
      expect(cause).toBeUndefined();
    });
  });

  test('a key that is not accepted is told with the setting that holds it', async () => {
    server.respondWith(() => recorded['key']);
    const { message } = (await failureOf(ask(chatOf(provider, server), 'complete'))) as ModelError;
    const setting = {
      anthropic: 'ANTHROPIC_API_KEY',
      openai: 'OPENAI_API_KEY',
      'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
    };
    expect(message).toContain(`set ${setting[provider]}`);
  });

  test.each([
    ['server error', 'false', false],
    ['bad request', 'true', true],
    ['quota', 'true', false],
    ['context too long', 'true', false],
  ])('x-should-retry decides over the status, not over what is certain: %s with %s', async (name, wish, retryable) => {
    const answer = recorded[name];
    if (!answer) throw new Error(`no recorded failure ${name}`);
    server.respondWith(() => ({ ...answer, headers: { ...answer.headers, 'x-should-retry': wish } }));
    expect(await failureOf(ask(chatOf(provider, server), 'complete'))).toMatchObject({ retryable });
    expect(server.calls()).toBe(1);
  });
});

/** The failure with the prompt's text in it, as providers do it. */
function echoing({ body, ...answer }: RawAnswer): RawAnswer {
  if (typeof body === 'string') return { ...answer, body: `${body}${secret}` };
  const text = JSON.stringify(body).replace(/"((?:message|msg|error)":"(?:[^"\\]|\\.)*)"/g, `"$1 ${secret}"`);
  return { ...answer, body: JSON.parse(text) as unknown };
}
