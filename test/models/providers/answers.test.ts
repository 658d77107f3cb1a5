import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ModelError } from '../../../adapters/models/port.ts';
import type { Answer } from '../../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { ask, chatOf, countWords, failureOf, fixture, request, secret, ways } from './chats.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => server.clear());

const providers = ['anthropic', 'openai', 'openai-compatible'] as const;
const query = '{"query":"late fee for overdue invoices after thirty days"}';
const streamed = '{"query":"late fee for überfällige 請求書"}';
const body = () => server.journal[0]?.request.body;

describe('answers as the providers send them', () => {
  const usage = { inputTokens: 1948, cachedInputTokens: 1536, cacheWriteTokens: 0, outputTokens: 23, estimated: false };

  test.each([
    ['anthropic', 'anthropic-message.json', usage],
    ['openai', 'openai-completion.json', usage],
    ['openai-compatible', 'ollama-completion.json', { ...usage, cachedInputTokens: 0 }],
  ] as const)('%s: %s', async (provider, file, expected) => {
    const recorded = JSON.parse(await fixture(file)) as unknown;
    server.respondWith(() => ({ status: 200, body: recorded }));
    const answer = await ask(chatOf(provider, server), 'complete');
    expect(answer).toEqual({ text: query, finish: 'stop', usage: expected });
    expect(server.calls()).toBe(1);
  });

  test.each([
    ['anthropic', 'anthropic-stream.sse'],
    ['openai', 'openai-stream.sse'],
    ['openai-compatible', 'openai-stream.sse'],
  ] as const)('%s: %s', async (provider, file) => {
    const recorded = await fixture(file);
    server.respondWith(() => ({ status: 200, body: recorded }));
    const pieces: string[] = [];
    const answer = await ask(chatOf(provider, server), 'stream', { onText: (piece) => pieces.push(piece) });
    expect(pieces).toEqual(['{"query":"late fee', ' for überfällige 請求書"}']);
    expect(answer).toEqual({
      text: streamed,
      finish: 'stop',
      usage: { inputTokens: 1948, cachedInputTokens: 0, cacheWriteTokens: 1536, outputTokens: 47, estimated: false },
    });
    expect(server.calls()).toBe(1);
  });
});

describe('what is asked', () => {
  beforeEach(() => server.respondWith(() => ({ says: { query: 'a' } })));

  test('Anthropic: the system prompt first, marked for the cache, and the schema as output format', async () => {
    const setup = { choice: { effort: 'low', temperature: 0.2 } } as const;
    await ask(chatOf('anthropic', server, setup), 'complete');
    expect(body()).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 300,
      system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: request.user }],
      output_config: {
        effort: 'low',
        format: {
          type: 'json_schema',
          schema: {
            title: 'rewrite',
            type: 'object',
            properties: { query: { type: 'string', description: '(maxLength: 200)' } },
            required: ['query'],
            additionalProperties: false,
          },
        },
      },
      temperature: 0.2,
    });
    expect(server.journal[0]?.request.headers).toMatchObject({ authorization: 'Bearer key-of-a-test' });
  });

  test('OpenAI: a strict schema and max_completion_tokens', async () => {
    await ask(chatOf('openai', server, { choice: { effort: 'high' } }), 'stream');
    expect(body()).toMatchObject({
      model: 'gpt-6-sol',
      max_completion_tokens: 300,
      reasoning_effort: 'high',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: request.user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'rewrite', strict: true } },
    });
    expect(body()).not.toHaveProperty('max_tokens');
    expect(body()).not.toHaveProperty('temperature');
    expect(server.journal[0]?.request.headers).toMatchObject({ authorization: 'Bearer key-of-a-test' });
  });

  test('a compatible server that takes neither strict nor max_completion_tokens nor a key is usable', async () => {
    server.respondWith(({ body: { max_completion_tokens, response_format }, headers }) =>
      max_completion_tokens !== undefined || JSON.stringify(response_format).includes('strict') || headers.authorization
        ? { status: 422, body: { detail: 'Extra inputs are not permitted' } }
        : { says: { query: 'a' } },
    );
    const chat = chatOf('openai-compatible', server, { apiKey: null });
    for (const way of ways) expect(await ask(chat, way)).toMatchObject({ text: '{"query":"a"}', finish: 'stop' });
    expect(body()).toMatchObject({ max_tokens: 300 });
  });

  test.each(providers)('%s: effort and temperature are left out where the choice has none', async (provider) => {
    await ask(chatOf(provider, server), 'complete');
    expect(JSON.stringify(body())).not.toMatch(/effort|temperature/);
  });

  test('an account in the environment is not told to a compatible server', async () => {
    const told = { OPENAI_ORG_ID: 'org-of-somebody', OPENAI_PROJECT_ID: 'proj-of-somebody', OPENAI_ADMIN_KEY: 'admin' };
    const before = { ...process.env };
    Object.assign(process.env, told);
    try {
      await ask(chatOf('openai-compatible', server, { apiKey: null }), 'complete');
    } finally {
      for (const name of Object.keys(told)) delete process.env[name];
      Object.assign(process.env, before);
    }
    expect(JSON.stringify(server.journal[0]?.request.headers)).not.toMatch(/somebody|admin|authorization/);
  });
});

describe.each(providers)('%s', (provider) => {
  const openAi = provider !== 'anthropic';

  describe.each(ways)('%s', (way) => {
    const answered = async (answer: Answer) => {
      server.respondWith(() => answer);
      const chat = chatOf(provider, server);
      return way === 'complete' ? ask(chat, 'complete') : ask(chat, 'stream');
    };
    const usage = { input: 90, output: 7, cached: 40, cacheWrite: 10 };
    const counted = { inputTokens: 90, outputTokens: 7, cachedInputTokens: 40, cacheWriteTokens: 10, estimated: false };

    test.each(openAi ? ['length'] : ['max_tokens', 'model_context_window_exceeded'])(
      'cut off at a token limit (%s) is not a whole answer',
      async (finish) => {
        const answer = await answered({ says: '{"query":"la', finish, usage });
        expect(answer).toEqual({ text: '{"query":"la', finish: 'length', usage: counted });
        expect(await answered({ says: '', finish, usage })).toMatchObject({ text: '', finish: 'length' });
      },
    );

    test('a refusal is final, and its cost is known', async () => {
      const answer = openAi
        ? { says: '', refusal: `I will not. ${secret}`, usage }
        : { says: '', finish: 'refusal', usage };
      const failure = await failureOf(answered(answer));
      expect(failure).toMatchObject({ code: 'refused', retryable: false, usage: counted });
      expect((failure as ModelError).message).not.toContain(secret);
    });

    test.each([
      ['', openAi ? 'stop' : 'end_turn'],
      [' \n', openAi ? 'stop' : 'end_turn'],
    ])('an empty answer %j is asked for again', async (says, finish) => {
      const failure = await failureOf(answered({ says, finish, usage }));
      expect(failure).toMatchObject({ code: 'empty', retryable: true, usage: counted });
    });

    test.each(
      openAi ? ['tool_calls', 'abort', 'insufficient_system_resource'] : ['pause_turn', 'tool_use', 'new_reason'],
    )('an end for the reason %s never counts as whole', async (finish) => {
      const failure = await failureOf(answered({ says: query, finish, usage }));
      expect(failure).toMatchObject({ code: 'server_error', retryable: true, usage: counted });
    });

    test('an answer that does not say why it ended is not whole', async () => {
      const failure = await failureOf(answered({ says: query, finish: null, usage }));
      expect(failure).toMatchObject({ code: 'stream_broken', retryable: true });
    });

    test('tokens are counted here, and marked as estimated, where the provider tells none', async () => {
      const answer = await answered({ says: 'one two three', usage: null });
      expect(answer.usage).toMatchObject({ cachedInputTokens: 0, outputTokens: 3, estimated: true });
      expect(answer.usage.inputTokens).toBeGreaterThan(countWords(request.system) + countWords(request.user));
    });
  });

  test.each([
    ['a page of a proxy', '<html>Sign in</html>'],
    ['JSON of another kind', { ok: true }],
    ['nothing', ''],
  ])('an answer that is no answer: %s', async (_, sent) => {
    server.respondWith(() => ({ status: 200, body: sent }));
    expect(await failureOf(ask(chatOf(provider, server), 'complete'))).toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    expect(server.calls()).toBe(1);
  });
});

test("OpenAI's content filter stops an answer for good", async () => {
  server.respondWith(() => ({ says: '{"qu', finish: 'content_filter' }));
  for (const way of ways) {
    const failure = await failureOf(ask(chatOf('openai', server), way));
    expect(failure).toMatchObject({ code: 'content_filtered', retryable: false, usage: { estimated: false } });
  }
});

test('no choice at all is an empty answer', async () => {
  const recorded = JSON.parse(await fixture('openai-completion.json')) as object;
  server.respondWith(() => ({ status: 200, body: { ...recorded, choices: [] } }));
  const failure = await failureOf(ask(chatOf('openai-compatible', server), 'complete'));
  expect(failure).toMatchObject({ code: 'empty', retryable: true });
});
