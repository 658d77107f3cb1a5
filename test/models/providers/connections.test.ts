import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ModelError } from '../../../adapters/models/port.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { ask, chatOf, failureOf, ways } from './chats.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => server.clear());

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe.each(['anthropic', 'openai', 'openai-compatible'] as const)('%s', (provider) => {
  const setting = {
    anthropic: 'ANTHROPIC_BASE_URL',
    openai: 'OPENAI_BASE_URL',
    'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
  };

  describe.each(ways)('%s', (way) => {
    test('connection refused', async () => {
      const failure = await failureOf(ask(chatOf(provider, server, { baseURL: await deadAddress() }), way));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true, usage: null, retryAfterMs: null });
      expect((failure as ModelError).message).toContain('(ECONNREFUSED)');
      expect((failure as ModelError).message).toContain(setting[provider]);
    });

    test.each(['close', 'reset'] as const)('a connection that ends before an answer (%s)', async (hangUp) => {
      server.respondWith(() => ({ hangUp }));
      const failure = await failureOf(ask(chatOf(provider, server), way));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true, usage: null });
      expect(server.calls()).toBe(1);
    });

    test('no answer in time', async () => {
      server.respondWith(() => ({ says: 'late', waitMs: 30_000 }));
      const started = performance.now();
      const failure = await failureOf(ask(chatOf(provider, server, { timeoutMs: 200 }), way));
      expect(failure).toMatchObject({ code: 'timeout', retryable: true, usage: { estimated: true, outputTokens: 0 } });
      expect(performance.now() - started).toBeLessThan(2000);
      await server.journal[0]?.ended;
      expect(server.journal).toHaveLength(1);
      expect(server.journal[0]).toMatchObject({ closedEarly: true });
    });

    test('an answer that goes on for longer than a call may', async () => {
      server.respondWith(() => ({
        says: 'a b c d e f g h',
        pieces: 8,
        pieceMs: 100,
        cut: { afterPieces: 8, by: 'stall' },
      }));
      const failure = await failureOf(ask(chatOf(provider, server, { timeoutMs: 350 }), way));
      expect(failure).toMatchObject({ code: 'timeout', retryable: true, usage: { estimated: true } });
      expect((failure as ModelError).message).toContain('did not answer');
    });
  });

  describe.each(ways)('what is no answer of a model (%s)', (way) => {
    test.each([301, 302, 303, 307, 308])('%d: the redirect is not followed', async (status) => {
      const elsewhere = await startProviderServer({ respond: () => ({ says: 'stolen' }) });
      try {
        const base = provider === 'anthropic' ? elsewhere.anthropicUrl : elsewhere.openaiUrl;
        const path = provider === 'anthropic' ? '/v1/messages' : '/chat/completions';
        server.respondWith(() => ({
          status,
          headers: { location: `${base}${path}`, 'x-should-retry': 'true' },
          body: '',
        }));
        const failure = await failureOf(ask(chatOf(provider, server), way));
        expect(failure).toMatchObject({ code: 'invalid_request', retryable: false, usage: null });
        expect((failure as ModelError).message).toContain(
          `answered ${status} for gpt-6-sol: a redirect, which is not followed: set ${setting[provider]} to where it leads`.replace(
            'gpt-6-sol',
            provider === 'anthropic' ? 'claude-sonnet-5-5' : 'gpt-6-sol',
          ),
        );
        expect(server.calls()).toBe(1);
        expect(elsewhere.calls()).toBe(0);
      } finally {
        await elsewhere.close();
      }
    });

    test.each([
      ['204', { status: 204, body: '' }],
      ['200 with nothing', { status: 200, body: '' }],
      ['200 with nothing of its length', { status: 200, headers: { 'content-length': '0' }, body: '' }],
      [
        'a page',
        { status: 200, body: '<!doctype html>\n<title>Sign in</title>\n\n<p style="color: red">Hello</p>\n\n' },
      ],
    ])('%s', async (_, answer) => {
      server.respondWith(() => answer);
      const failure = await failureOf(ask(chatOf(provider, server), way));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true, usage: null });
      expect((failure as ModelError).message).toContain('does not look like an answer of ');
      expect((failure as ModelError).message).toContain(`check ${setting[provider]}`);
      expect(server.calls()).toBe(1);
    });
  });

  test('a name that DNS does not know', async () => {
    const failure = await failureOf(ask(chatOf(provider, server, { baseURL: 'http://provider.invalid' }), 'complete'));
    expect(failure).toMatchObject({ code: 'unavailable', retryable: true, usage: null });
    expect((failure as ModelError).message).toMatch(/\((ENOTFOUND|EAI_AGAIN)\)/);
  });

  test.each(['close', 'reset'] as const)('a body that breaks off in the middle (%s)', async (by) => {
    server.respondWith(() => ({ says: 'one two three', cut: { afterPieces: 0, by } }));
    const failure = await failureOf(ask(chatOf(provider, server), 'complete'));
    expect(failure).toMatchObject({ code: 'stream_broken', retryable: true, usage: { estimated: true } });
    expect(server.calls()).toBe(1);
  });
});
