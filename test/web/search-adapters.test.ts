import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tavily } from '@tavily/core';
import { WebSearchError, type WebSearch } from '../../adapters/web/port.ts';
import { createSearxngSearch } from '../../adapters/web/search/searxng.ts';
import { createTavilySearch } from '../../adapters/web/search/tavily.ts';
import { type Handler, rejection, sendJson, startWebServer, type WebServer } from './support/web-server.ts';

const query = 'Why does unit Q7-Lima stop at step 14?';
const signal = new AbortController().signal;
const hit = { url: 'https://example.com/a', title: 'A', content: 'About A', score: 0.9, raw_content: '# A' };

let server: WebServer;
let handler: Handler;

beforeAll(async () => {
  server = await startWebServer((request, response) => handler(request, response));
});
afterAll(() => server.close());
afterEach(() => {
  server.requests.length = 0;
});

const adapters: [string, () => WebSearch][] = [
  ['tavily', () => createTavilySearch({ apiKey: 'tvly-test', baseUrl: server.url, timeoutMs: 300 })],
  ['searxng', () => createSearxngSearch({ baseUrl: server.url, timeoutMs: 300 })],
];

function answering(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}): void {
  handler = (_, response) => sendJson(response, body, options);
}

describe.each(adapters)('%s', (id, create) => {
  const search = (maxResults = 3) => create().search(query, { maxResults, signal });

  test('gives the hits in their order, at most as many as wanted', async () => {
    const hits = ['a', 'b', 'c', 'd'].map((name) => ({ ...hit, url: `https://example.com/${name}` }));
    answering({ query, results: hits });
    expect((await search()).map(({ url }) => url)).toEqual(hits.slice(0, 3).map(({ url }) => url));
    expect(server.requests).toHaveLength(1);
  });

  test('nothing found is an empty list', async () => {
    answering({ query, results: [] });
    expect(await search()).toEqual([]);
  });

  test('content, title and date may be null or absent', async () => {
    answering({
      results: [{ url: 'https://example.com/x', title: null, content: null, raw_content: null, score: 'high' }],
    });
    expect(await search()).toEqual([
      { url: 'https://example.com/x', title: '', content: '', rawContent: null, score: null, publishedAt: null },
    ]);
  });

  test('each address counts once, and one that is no address of the web not at all', async () => {
    answering({
      results: [
        { ...hit, url: 'javascript:alert(1)' },
        { title: 'no address' },
        hit,
        { ...hit, url: `${hit.url}#part` },
      ],
    });
    expect((await search()).map(({ url }) => url)).toEqual([hit.url]);
  });

  test('results of other domains are left out before they are counted', async () => {
    answering({
      results: [
        { ...hit, url: 'https://evil.example/1' },
        { ...hit, url: 'https://docs.good.example/2' },
      ],
    });
    const options = { maxResults: 1, signal, domains: { allowed: ['good.example'], blocked: [] } };
    expect((await create().search(query, options)).map(({ url }) => url)).toEqual(['https://docs.good.example/2']);
  });

  test.each([
    [400, 'invalid_request', false],
    [401, 'unauthorized', false],
    [403, 'unauthorized', false],
    [404, 'invalid_request', false],
    [422, 'invalid_request', false],
    [429, 'rate_limited', true],
    [432, 'plan_exhausted', false],
    [433, 'plan_exhausted', false],
    [500, 'unavailable', true],
    [502, 'unavailable', true],
    [503, 'unavailable', true],
    [302, 'bad_response', false],
  ])('status %d is %s', async (status, code, retryable) => {
    answering({ detail: { error: `refused: ${query}` } }, { status, headers: { location: '/elsewhere' } });
    const error = await rejection(search());
    expect(error).toBeInstanceOf(WebSearchError);
    expect(error).toMatchObject({ code, retryable, provider: id });
    expect(String(error)).not.toContain('Q7-Lima');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['Query is too long. Max query length is 400 characters.', 400],
    [[{ type: 'string_too_long', msg: 'String should have at most 400 characters' }], 422],
  ])('a refusal that says so is query_too_long: %j', async (detail, status) => {
    answering({ detail }, { status });
    expect(await rejection(search())).toMatchObject({ code: 'query_too_long', retryable: false });
  });

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': '86400' }, 600_000],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('429 with %j waits %s ms', async (headers: Record<string, string>, retryAfterMs) => {
    answering({}, { status: 429, headers });
    expect(await rejection(search())).toMatchObject({ code: 'rate_limited', retryAfterMs });
  });

  test('429 with a date to come waits until then', async () => {
    answering({}, { status: 429, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } });
    const error = await rejection(search());
    if (!(error instanceof WebSearchError)) throw error;
    expect(error.retryAfterMs).toBeGreaterThan(80_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  test.each([
    ['no results field', JSON.stringify({ query })],
    ['results that are no list', JSON.stringify({ results: null })],
    ['results without addresses', JSON.stringify({ results: [{ title: 'A' }] })],
    ['no JSON', '<html>Sign in</html>'],
    ['JSON that ends early', '{"results": [{"url": "https://exa'],
    ['nothing', ''],
  ])('200 with %s is a bad response, never "nothing found"', async (_, body) => {
    handler = (_request, response) => void response.end(body);
    expect(await rejection(search())).toMatchObject({ code: 'bad_response' });
  });

  test('an answer without end is cut off', async () => {
    handler = (_request, response) => {
      const filler = Buffer.alloc(1_000_000, ' ');
      response.on('close', () => response.destroy());
      for (let n = 0; n < 9; n += 1) response.write(filler);
    };
    const patient =
      id === 'tavily'
        ? createTavilySearch({ apiKey: 'k', baseUrl: server.url })
        : createSearxngSearch({ baseUrl: server.url });
    expect(await rejection(patient.search(query, { maxResults: 3, signal }))).toMatchObject({ code: 'bad_response' });
  });

  test('silence is a timeout', async () => {
    handler = () => {};
    expect(await rejection(search())).toMatchObject({ code: 'timeout', retryable: true });
  });

  test('a body that stops half-way is a timeout', async () => {
    handler = (_request, response) => void response.write('{"results": [');
    expect(await rejection(search())).toMatchObject({ code: 'timeout' });
  });

  test('a connection that is cut is an outage', async () => {
    handler = (_request, response) => void response.destroy();
    expect(await rejection(search())).toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('a body that is cut is an outage', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"results": [');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await rejection(search())).toMatchObject({ code: 'unavailable' });
  });

  test('once the caller gave up, its own reason comes out', async () => {
    handler = () => {};
    const stop = new AbortController();
    const searching = create().search(query, { maxResults: 3, signal: stop.signal });
    const reason = new Error('cancelled');
    setTimeout(() => stop.abort(reason), 20);
    expect(await rejection(searching)).toBe(reason);
  });
});

test.each(['http://127.0.0.1:1', 'http://search.invalid'])(
  'a server that is not there is an outage: %s',
  async (baseUrl) => {
    for (const search of [createTavilySearch({ apiKey: 'k', baseUrl }), createSearxngSearch({ baseUrl })]) {
      expect(await rejection(search.search(query, { maxResults: 3, signal }))).toMatchObject({ code: 'unavailable' });
    }
  },
);

describe('tavily', () => {
  test("asks as Tavily's own client does", async () => {
    answering({ query, results: [hit], images: [], response_time: 0.1 });
    const official = tavily({ apiKey: 'tvly-test', apiBaseURL: server.url });
    const theirs = await official.search(query, {
      maxResults: 3,
      searchDepth: 'basic',
      includeRawContent: 'markdown',
      includeDomains: ['example.com'],
    });
    const domains = { allowed: ['example.com'], blocked: [] };
    const ours = await adapters[0]?.[1]().search(query, { maxResults: 3, signal, domains, rawContent: true });
    const [first, second] = server.requests;
    expect([second?.method, second?.path]).toEqual([first?.method, first?.path]);
    expect(second?.headers.authorization).toBe(first?.headers.authorization);
    expect(JSON.parse(first?.body ?? '')).toMatchObject(JSON.parse(second?.body ?? '') as object);
    expect(ours?.map(({ url, rawContent }) => [url, rawContent])).toEqual(
      theirs.results.map((result) => [result.url, result.rawContent]),
    );
  });

  test('a query over 400 characters is refused before it is sent', async () => {
    answering({ results: [] });
    const searching = createTavilySearch({ apiKey: 'k', baseUrl: server.url }).search('a'.repeat(401), {
      maxResults: 3,
      signal,
    });
    expect(await rejection(searching)).toMatchObject({ code: 'query_too_long', retryable: false });
    expect(server.requests).toHaveLength(0);
  });

  test('dates come as ISO times', async () => {
    answering({ results: [{ ...hit, published_date: 'Tue, 03 Nov 2026 08:00:00 GMT' }] });
    expect(
      (await createTavilySearch({ apiKey: 'k', baseUrl: server.url }).search('a', { maxResults: 1, signal }))[0]
        ?.publishedAt,
    ).toBe('2026-11-03T08:00:00.000Z');
  });
});

describe('searxng', () => {
  test('asks for JSON, below the path of the instance', async () => {
    answering({ results: [{ ...hit, publishedDate: '2026-11-03T08:00:00' }] });
    const search = createSearxngSearch({ baseUrl: `${server.url}/searx` });
    const [result] = await search.search('a & b?', { maxResults: 1, signal });
    expect(server.requests[0]?.path).toBe('/searx/search?q=a+%26+b%3F&format=json');
    expect(result?.publishedAt).toBe('2026-11-03T08:00:00.000Z');
  });

  test('nothing found because its engines did not answer is an outage', async () => {
    answering({ results: [], unresponsive_engines: [['google', 'timeout']] });
    const searching = createSearxngSearch({ baseUrl: server.url }).search('a', { maxResults: 1, signal });
    expect(await rejection(searching)).toMatchObject({ code: 'unavailable', retryable: true });
  });
});
