import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EmbeddingModel } from '../../../adapters/models/port.ts';
import { createOpenAiEmbedding, type OpenAiEmbeddingSettings } from '../../../adapters/models/openai/embedding.ts';
import { createProviderEmbedding } from '../../../adapters/models/provider-embedding.ts';
import { failure } from '../../support/provider-server/answers.ts';
import { embedWords } from '../../support/provider-server/embed-words.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { countWords, failureOf, secret } from './chats.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
});
afterAll(() => server.close());
beforeEach(() => {
  server.clear();
  server.respondWith((request) => embedWords(request));
});

const providers = ['openai', 'openai-compatible'] as const;
type Setup = Partial<OpenAiEmbeddingSettings> & { timeoutMs?: number };

function modelOf({ timeoutMs, ...settings }: Setup = {}): EmbeddingModel {
  const standard = { apiKey: 'key-of-a-test', baseUrl: server.openaiUrl, provider: 'openai', model: 'small' } as const;
  return createOpenAiEmbedding({ ...standard, dimensions: 64, ...settings }, { countTokens: countWords, timeoutMs });
}

const body = (n = 0) => server.journal[n]?.request.body;
const inputs = () => server.journal.map(({ request }) => request.inputs);
const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  [...(a ?? [])].reduce((sum, value, n) => sum + value * (b?.[n] ?? 0), 0);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `text number ${n}`);

describe.each(providers)('an embedding model of %s', (provider) => {
  test('gives one vector of unit length a text, in order, and near where the words are the same', async () => {
    const model = modelOf({ provider });
    expect(model).toMatchObject({ id: `${provider}/small`, dimensions: 64 });
    const texts = ['the fee is due', 'a lamp of brass', 'the fee is due today'];
    const vectors = await model.embedPassages(texts);
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(cosine(vectors[0], vectors[2])).toBeGreaterThan(cosine(vectors[0], vectors[1]));
    expect(cosine(await model.embedQuery('the fee is due'), vectors[0])).toBeCloseTo(1, 5);
  });

  test.each(['numbers', 'base64'])('takes vectors as %s, in whatever order the server names them', async (form) => {
    const coded = (vector: number[]) =>
      form === 'numbers' ? vector : Buffer.from(new Float32Array(vector).buffer).toString('base64');
    const data = [
      { index: 1, embedding: coded([0, 2]) },
      { index: 0, embedding: coded([3, 0]) },
    ];
    server.respondWith(() => ({ status: 200, body: { object: 'list', data } }));
    const vectors = await modelOf({ provider, dimensions: 2 }).embedPassages(['a', 'b']);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test('asks for a text once, however often it is given, and not again for what it had lately', async () => {
    const model = modelOf({ provider });
    const [first, second] = await model.embedPassages(['a b', 'a b']);
    first?.fill(0);
    expect(second?.some((value) => value !== 0)).toBe(true);
    const [again] = await model.embedPassages(['a b']);
    expect(again).toEqual(second);
    expect(await model.embedQuery('late fee')).toEqual(await model.embedQuery('late fee'));
    expect(inputs()).toEqual([['a b'], ['late fee']]);
  });

  test('gives a long text the mean of its parts, none of which is left out', async () => {
    const model = modelOf({ provider });
    const words = Array.from({ length: model.maxTokens + 100 }, (_, n) => `w${n % 50}`);
    const [vector] = await model.embedPassages([words.join(' ')]);
    expect(vector).toHaveLength(64);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    const sent = inputs().flat();
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.join('').split(' ')).toEqual(words);
    for (const text of sent) expect(countWords(text)).toBeLessThanOrEqual(model.maxTokens);
  });

  test('asks in bounded requests, and when one fails only for what is open the next time', async () => {
    const model = modelOf({ provider });
    const [texts, requests] = provider === 'openai' ? [numbered(600), 2] : [numbered(70), 3];
    server.respondWith((request) => (request.call === requests ? failure('openai', 500) : embedWords(request)));
    expect(await failureOf(model.embedPassages(texts))).toMatchObject({ code: 'server_error', retryable: true });
    const sent = inputs();
    expect(sent).toHaveLength(requests);
    expect(sent.flat()).toEqual(texts);
    server.clear();
    server.respondWith((request) => embedWords(request));
    const vectors = await model.embedPassages(texts);
    expect(inputs()).toEqual(sent.slice(-1));
    expect(vectors).toEqual(await modelOf({ provider }).embedPassages(texts));
  });

  test('sends a space for an empty text, which providers refuse', async () => {
    await modelOf({ provider }).embedPassages(['']);
    expect(inputs()).toEqual([[' ']]);
  });

  test('needs no request for no texts', async () => {
    expect(await modelOf({ provider }).embedPassages([])).toEqual([]);
    expect(server.calls()).toBe(0);
  });
});

describe('the length of vectors', () => {
  test('is told to OpenAI', async () => {
    await modelOf({ dimensions: 32 }).embedQuery('fee');
    expect(body()).toMatchObject({ model: 'small', dimensions: 32, encoding_format: 'base64' });
    expect(server.journal[0]?.request.headers).toMatchObject({ authorization: 'Bearer key-of-a-test' });
  });

  test('is not told to a compatible server whose own it is, nor a key where it asks for none', async () => {
    await modelOf({ provider: 'openai-compatible', apiKey: null }).embedQuery('fee');
    expect(body()).toEqual({ model: 'small', input: ['fee'], encoding_format: 'float' });
    expect(server.journal[0]?.request.headers).not.toHaveProperty('authorization');
  });

  test('is told to a compatible server whose own are longer, from then on', async () => {
    const model = modelOf({ provider: 'openai-compatible', dimensions: 32 });
    expect(await model.embedQuery('fee')).toHaveLength(32);
    expect(await model.embedQuery('lamp')).toHaveLength(32);
    expect(server.journal.map((entry) => entry.request.body['dimensions'])).toEqual([undefined, 32, 32]);
  });

  test.each([
    ['openai', 32],
    ['openai-compatible', 32],
    ['openai-compatible', 128],
  ] as const)('%s: 64 from a server that does not give %d are a failure for good', async (provider, dimensions) => {
    const own = 64;
    server.respondWith(({ inputs: texts }) => ({ vectors: texts.map(() => Array.from({ length: own }, () => 1)) }));
    const error = await failureOf(modelOf({ provider, dimensions }).embedQuery(secret));
    expect(error).toMatchObject({ code: 'bad_model', retryable: false });
    expect(String(error)).toContain(`PLUMBLINE_EMBEDDING to ${provider}/small@${own}`);
    expect(String(error)).not.toContain('CONFIDENTIAL');
  });

  test('vectors without a direction are refused', async () => {
    server.respondWith(({ inputs: texts }) => ({ vectors: texts.map(() => Array.from({ length: 64 }, () => 0)) }));
    expect(await failureOf(modelOf().embedQuery('fee'))).toMatchObject({ code: 'bad_model', retryable: false });
  });
});

describe.each(providers)('a failure at %s', (provider) => {
  const failed = async (setup: Setup = {}, signal?: AbortSignal) => {
    const error = await failureOf(modelOf({ provider, ...setup }).embedPassages([secret, 'other'], signal));
    expect(String(error)).not.toContain('CONFIDENTIAL');
    return error;
  };

  test.each([
    [400, 'invalid_request', false, /PLUMBLINE_EMBEDDING/],
    [401, 'unauthorized', false, /_API_KEY/],
    [404, 'not_found', false, /PLUMBLINE_EMBEDDING/],
    [413, 'too_large', false, /PLUMBLINE_EMBEDDING/],
    [500, 'server_error', true, /500/],
    [503, 'overloaded', true, /503/],
  ])('with status %d is %s', async (status, ...expected) => {
    server.respondWith(() => failure('openai', status, { message: `about: ${secret}` }));
    const error = await failed();
    const [code, retryable, says] = expected;
    expect(error).toMatchObject({ code, retryable });
    expect(String(error)).toMatch(says);
    expect(server.calls()).toBe(1);
  });

  test('by a text that is too long says so', async () => {
    const message = "This model's maximum context length is 8192 tokens, however you requested 9001 tokens.";
    server.respondWith(() => failure('openai', 400, { message }));
    expect(await failed()).toMatchObject({ code: 'context_too_long', retryable: false });
  });

  test('by a rate limit says when to ask again', async () => {
    server.respondWith(() => failure('openai', 429, { type: 'requests', headers: { 'retry-after': '7' } }));
    expect(await failed()).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 7000 });
  });

  test.each<[string, unknown]>([
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    ['the same place twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['a vector that is cut off', { data: [0, 1].map((index) => ({ index, embedding: 'AAAA' })) }],
    ['no vectors', { error: null }],
    ['a page', '<html>sign in</html>'],
  ])('that answers with %s is no answer', async (_what, answer) => {
    server.respondWith(() => ({ status: 200, body: answer }));
    expect(await failed()).toMatchObject({ code: 'unavailable', retryable: true });
  });

  test.each([204, 302, 308])('that answers %d gives no vectors, and is not followed elsewhere', async (status) => {
    const elsewhere = await startProviderServer({ respond: (request) => embedWords(request) });
    try {
      const headers = { location: `${elsewhere.openaiUrl}/embeddings` };
      server.respondWith(() => ({ status, headers, body: '' }));
      const error = await failed();
      if (status === 204) expect(error).toMatchObject({ code: 'unavailable', retryable: true });
      else {
        expect(error).toMatchObject({ code: 'invalid_request', retryable: false });
        expect(String(error)).toMatch(/set OPENAI_(COMPATIBLE_)?BASE_URL to where it leads/);
      }
      expect(server.calls()).toBe(1);
      expect(elsewhere.calls()).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });

  test('that hangs up, or is not there, is retryable', async () => {
    server.respondWith(() => ({ hangUp: 'reset' }));
    expect(await failed()).toMatchObject({ code: 'unavailable', retryable: true });
    expect(await failed({ baseUrl: 'http://127.0.0.1:9/v1' })).toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('that does not answer in time is a timeout', async () => {
    server.respondWith((request) => ({ ...embedWords(request), waitMs: 5_000 }));
    expect(await failed({ timeoutMs: 50 })).toMatchObject({ code: 'timeout', retryable: true });
  });

  test('a caller that gives up ends the request, with its own reason', async () => {
    server.respondWith((request) => ({ ...embedWords(request), waitMs: 60_000 }));
    const stop = new AbortController();
    const reason = new Error('the step was cancelled');
    const call = failed({}, stop.signal);
    while (server.calls() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(reason);
    expect(await call).toBe(reason);
    await server.journal[0]?.ended;
    expect(server.journal[0]?.closedEarly).toBe(true);
    expect(await failed({}, stop.signal)).toBe(reason);
    expect(server.calls()).toBe(1);
  });
});

describe('as configured', () => {
  const choice = { provider: 'openai', model: 'text-embedding-3-small', dimensions: 64 } as const;
  const nothing = { openai: null, compatible: null };

  test('tokens are counted as OpenAI’s embedding models do, and approximately for other servers', async () => {
    const openai = { apiKey: 'key-o', baseUrl: server.openaiUrl };
    const compatible = { apiKey: null, baseUrl: server.openaiUrl };
    const exact = await createProviderEmbedding(choice, { openai, compatible });
    const other = await createProviderEmbedding({ ...choice, provider: 'openai-compatible' }, { openai, compatible });
    // Of tiktoken's cl100k_base; <|endoftext|> is text here.
    expect(exact.countTokens('tiktoken is great!')).toBe(6);
    expect(exact.countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(other.countTokens('tiktoken is great!')).toBeGreaterThan(6);
    await exact.embedQuery('fee');
    await other.embedQuery('fee');
    expect(server.journal.map(({ request }) => request.headers.authorization)).toEqual(['Bearer key-o', undefined]);
  });

  test.each([
    ['openai', 'OPENAI_API_KEY'],
    ['openai-compatible', 'OPENAI_COMPATIBLE_BASE_URL'],
  ] as const)('%s without %s is refused', async (provider, setting) => {
    const error = await failureOf(createProviderEmbedding({ ...choice, provider }, nothing));
    expect(error).toMatchObject({ code: 'not_configured', retryable: false });
    expect(String(error)).toContain(setting);
  });
});
