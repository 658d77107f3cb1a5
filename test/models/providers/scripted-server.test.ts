import { afterEach, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { ModelError } from '../../../adapters/models/port.ts';
import { failure } from '../../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { ask, chatOf, failureOf } from './chats.ts';

let server: ProviderServer;
afterEach(() => server.close());

test('embeddings reach the official SDK as they were scripted', async () => {
  server = await startProviderServer({ respond: ({ inputs }) => ({ vectors: inputs.map((_, i) => [i, 0.5]) }) });
  const client = new OpenAI({ apiKey: 'key-of-a-test', baseURL: server.openaiUrl, maxRetries: 0 });
  const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [0, 0.5],
    [1, 0.5],
  ]);
  expect(server.calls('embeddings')).toBe(1);
});

test('a web search has the form of Tavily', async () => {
  server = await startProviderServer({
    respond: ({ query }) => ({ results: [{ title: query, url: 'https://a.example', content: 'text' }] }),
  });
  const answer = await fetch(`${server.tavilyUrl}/search`, { method: 'POST', body: JSON.stringify({ query: 'fees' }) });
  expect(await answer.json()).toMatchObject({
    query: 'fees',
    results: [{ title: 'fees', url: 'https://a.example', content: 'text', score: 0.9, raw_content: null }],
  });
  expect(server.calls('tavily')).toBe(1);
});

test('chaos fails the share of calls that was asked for, in the same order for the same seed', async () => {
  const fates = async () => {
    server = await startProviderServer({
      respond: () => ({ says: { query: 'a' } }),
      chaos: { share: 0.4, failures: [failure('openai', 503), { hangUp: 'reset' }], seed: 7 },
    });
    const chat = chatOf('openai', server);
    const fates: string[] = [];
    for (let i = 0; i < 20; i++) {
      fates.push(
        await ask(chat, 'complete').then(
          ({ finish }) => finish,
          (error: ModelError) => error.code,
        ),
      );
    }
    await server.close();
    return fates;
  };
  const first = await fates();
  expect(new Set(first)).toEqual(new Set(['stop', 'overloaded', 'unavailable']));
  expect(await fates()).toEqual(first);
});

test('a call without a scripted answer fails at once, and says so', async () => {
  server = await startProviderServer({ respond: () => undefined });
  expect(await failureOf(ask(chatOf('anthropic', server), 'complete'))).toMatchObject({ code: 'invalid_request' });
});
