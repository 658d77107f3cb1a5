import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ModelCallCancelled, type ModelError, type ModelErrorCode } from '../../../adapters/models/port.ts';
import type { Cut } from '../../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { ask, chatOf, failureOf, secret, ways, type ChatSetup } from './chats.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => server.clear());

/** Eight pieces of one word each. */
const says = 'aaaa bbbb cccc dddd eeee ffff gggg hhhh ';

type Told = [error: unknown, code: ModelErrorCode, retryable: boolean];
/** The prompt's text in an error, as providers have it. */
const echoing = (text: string) => `${text} ${secret}`;
const anthropicEvents: Told[] = [
  [{ type: 'overloaded_error', message: echoing('Overloaded') }, 'overloaded', true],
  [{ type: 'rate_limit_error', message: echoing('Slow down') }, 'rate_limited', true],
  [{ type: 'api_error', message: echoing('Internal server error') }, 'server_error', true],
  [{ type: 'timeout_error', message: echoing('Timeout') }, 'timeout', true],
  [{ type: 'billing_error', message: echoing('Pay') }, 'insufficient_quota', false],
  [{ type: 'invalid_request_error', message: echoing('no') }, 'invalid_request', false],
  [{ type: 'something_new', message: echoing('no') }, 'server_error', true],
];
const openAiEvents: Told[] = [
  [{ type: 'server_error', message: echoing('The server had an error'), code: null }, 'server_error', true],
  [{ type: 'tokens', message: echoing('Rate limit reached'), code: 'rate_limit_exceeded' }, 'rate_limited', true],
  [{ type: 'insufficient_quota', message: echoing('no'), code: 'insufficient_quota' }, 'insufficient_quota', false],
  [{ object: 'error', type: 'BadRequestError', message: echoing('no'), code: 400 }, 'invalid_request', false],
  [{ message: echoing('Provider disconnected'), code: 502 }, 'unavailable', true],
  [{ message: echoing("This model's maximum context length is 4096 tokens") }, 'context_too_long', false],
  [echoing('something new'), 'server_error', true],
];

describe.each(['anthropic', 'openai', 'openai-compatible'] as const)('%s', (provider) => {
  const anthropic = provider === 'anthropic';
  // Anthropic tells the input at the start of its answer, OpenAI only at its end.
  const cutUsage = anthropic
    ? { inputTokens: 90, cachedInputTokens: 40, outputTokens: 4, estimated: true }
    : { cachedInputTokens: 0, outputTokens: 4, estimated: true };

  async function cut(by: Cut['by'], setup: ChatSetup = {}) {
    server.respondWith(() => ({
      says,
      pieces: 8,
      usage: { input: 90, output: 8, cached: 40 },
      cut: { afterPieces: 4, by },
    }));
    const pieces: string[] = [];
    const failure = await failureOf(
      ask(chatOf(provider, server, setup), 'stream', { onText: (piece) => pieces.push(piece) }),
    );
    expect(server.calls()).toBe(1);
    expect(says.startsWith(pieces.join(''))).toBe(true);
    return { failure: failure as ModelError, pieces };
  }

  test.each(['close', 'reset'] as const)('a stream that ends without its end mark (%s) is broken', async (by) => {
    const { failure, pieces } = await cut(by);
    expect(failure).toMatchObject({ code: 'stream_broken', retryable: true, usage: cutUsage });
    expect(pieces).toHaveLength(4);
  });

  test('a stream that falls silent is given up after the idle time', async () => {
    const started = performance.now();
    const { failure } = await cut('stall', { idleTimeoutMs: 150 });
    expect(failure).toMatchObject({ code: 'timeout', retryable: true, usage: cutUsage });
    expect(failure.message).toContain('fell silent');
    expect(performance.now() - started).toBeLessThan(2000);
    await server.journal[0]?.ended;
    expect(server.journal[0]?.closedEarly).toBe(true);
  });

  test('pieces that keep coming keep a stream alive for longer than the idle time', async () => {
    server.respondWith(() => ({ says, pieces: 8, pieceMs: 60 }));
    expect(await ask(chatOf(provider, server, { idleTimeoutMs: 300 }), 'stream')).toMatchObject({ text: says });
  });

  test.each(anthropic ? anthropicEvents : openAiEvents)(
    'an error inside of a 200: %j',
    async (...[error, code, retryable]) => {
      const { failure } = await cut({ event: { type: 'error', error } });
      expect(failure).toMatchObject({ code, retryable, usage: cutUsage });
      expect(failure.message).toContain(`${provider} told an error in its answer`);
      expect(failure.message).not.toContain(secret);
    },
  );

  test('an event that is no JSON breaks the stream, and its text is not logged', async () => {
    const event = anthropic ? 'event: content_block_delta\n' : '';
    server.respondWith(() => ({ status: 200, body: `${event}data: {"broken ${secret}\n\n` }));
    const said: unknown[] = [];
    const { error } = console;
    console.error = (...words) => said.push(words);
    try {
      const failure = await failureOf(ask(chatOf(provider, server), 'stream'));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
      expect(String(failure)).not.toContain(secret);
    } finally {
      console.error = error;
    }
    expect(said).toEqual([]);
  });

  test('what the reader of the pieces throws ends the call', async () => {
    server.respondWith(() => ({ says, pieces: 8, pieceMs: 50 }));
    const fault = new RangeError('the reader is full');
    const failure = await failureOf(
      ask(chatOf(provider, server), 'stream', {
        onText: () => {
          throw fault;
        },
      }),
    );
    expect(failure).toBe(fault);
    await server.journal[0]?.ended;
    expect(server.journal[0]).toMatchObject({ closedEarly: true });
  });

  describe('cancelling', () => {
    test('while it streams: the provider sees the connection close at once, nothing more is told or asked', async () => {
      server.respondWith(() => ({ says, pieces: 8, pieceMs: 100, usage: { input: 90, output: 8, cached: 40 } }));
      const controller = new AbortController();
      const reason = new Error('the run was cancelled');
      const pieces: string[] = [];
      let cancelledAt = 0;
      const failure = await failureOf(
        ask(chatOf(provider, server), 'stream', {
          signal: controller.signal,
          onText: (piece) => {
            pieces.push(piece);
            if (pieces.length < 2) return;
            cancelledAt = performance.now();
            controller.abort(reason);
          },
        }),
      );
      await server.journal[0]?.ended;
      expect(performance.now() - cancelledAt).toBeLessThan(1000);
      expect(failure).toBeInstanceOf(ModelCallCancelled);
      expect((failure as Error).cause).toBe(reason);
      expect(failure).toMatchObject({ usage: { ...cutUsage, outputTokens: 2 } });
      expect(pieces).toHaveLength(2);
      expect(server.journal).toHaveLength(1);
      expect(server.journal[0]).toMatchObject({ closedEarly: true });
    });

    test.each(ways)('while nothing has come yet (%s)', async (way) => {
      server.respondWith(() => ({ says, waitMs: 30_000 }));
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 200);
      const failure = await failureOf(ask(chatOf(provider, server), way, { signal: controller.signal }));
      expect(failure).toBeInstanceOf(ModelCallCancelled);
      expect(failure).toMatchObject({ usage: { outputTokens: 0, estimated: true } });
      await server.journal[0]?.ended;
      expect(server.journal[0]).toMatchObject({ closedEarly: true, status: null });
    });

    test.each(ways)('before it began: nothing is asked, nothing is owed (%s)', async (way) => {
      const failure = await failureOf(ask(chatOf(provider, server), way, { signal: AbortSignal.abort() }));
      expect(failure).toBeInstanceOf(ModelCallCancelled);
      expect(failure).toMatchObject({ usage: null });
      expect(server.calls()).toBe(0);
    });

    test.each(ways)("by a limit of the caller's own is a timeout (%s)", async (way) => {
      server.respondWith(() => ({ says, waitMs: 30_000 }));
      const failure = await failureOf(ask(chatOf(provider, server), way, { signal: AbortSignal.timeout(150) }));
      expect(failure).toMatchObject({ code: 'timeout', retryable: true, usage: { estimated: true } });
    });
  });
});
