import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { EvidenceError } from '../../adapters/store/port.ts';
import { failureOf } from './answer-house.ts';
import { createWebSearch } from '../../adapters/web/search/chain.ts';
import { access } from './model-steps.ts';
import { finding, html, status } from './web-answers.ts';
import { openWebHouse, type WebHouse } from './web-house.ts';

let house: WebHouse;
beforeAll(async () => {
  house = await openWebHouse({ timeoutMs: 300 });
});
beforeEach(() => house.reset());
afterAll(() => house.close());

const question = 'What is the deposit for a key at the harbour office?';
const sentence = 'The deposit for a key at the harbour office is 200 marks.';
const hit = (n: number, text = sentence) => ({
  url: `https://harbour-${n}.example/keys`,
  title: `Keys ${n}`,
  content: text,
});

describe('a search of the web', () => {
  test('gives the passages nearest to the question, with address, title and time of reading', async () => {
    house.tavily(finding([hit(1, 'The lighthouse was built in 1907 by two brothers of the harbour.'), hit(2)]));
    const { evidence, sent, note } = await house.ask(question);
    expect(evidence.map(({ uri, title, origin }) => [uri, title, origin])).toEqual([
      ['https://harbour-2.example/keys', 'Keys 2', 'web'],
      ['https://harbour-1.example/keys', 'Keys 1', 'web'],
    ]);
    expect(Date.now() - Date.parse(evidence[0]?.readAt ?? '')).toBeLessThan(10_000);
    expect(evidence[0]?.snippet).toBe(sentence);
    expect({ sent, note }).toEqual({ sent: question, note: null });
  });

  test('keeps what it found as evidence of the tenant until its time is over', async () => {
    house.tavily(finding([hit(1)]));
    const before = Date.now();
    const { evidence } = await house.ask(question, { web: { keepHours: 2, authority: 7 } });
    const { id = '', documentId = '' } = evidence[0] ?? {};
    const page = await house.deps.evidence.page(access.tenant, documentId);
    expect(page).toMatchObject({ url: 'https://harbour-1.example/keys', text: sentence, authority: 7 });
    const lives = Date.parse(page?.expiresAt ?? '') - before;
    expect(lives / 3_600_000).toBeCloseTo(2, 2);
    const [passage] = await house.deps.evidence.get(access.tenant, [id]);
    expect(passage?.vector).not.toBeNull();
    expect(await house.deps.evidence.get('another', [id])).toEqual([]);
  });

  test('fetches the pages of which it shows little, and notes those that cannot be read', async () => {
    house.page(({ path }, response) =>
      path === '/robots.txt' || path.startsWith('/gone')
        ? void response.writeHead(404).end()
        : html(`<p>${sentence} ${'It is paid back when the key is returned. '.repeat(10)}</p>`)({} as never, response),
    );
    house.tavily(
      finding([
        { url: `${house.pageUrl}/keys`, content: 'deposit …' },
        { url: `${house.pageUrl}/gone`, content: 'The deposit for a key is 180 marks, says a page that is gone.' },
        { url: `${house.pageUrl}/gone`.replace('gone', 'gone?empty'), content: '' },
        { ...hit(1), raw_content: `${sentence} `.repeat(20) },
      ]),
    );
    const { evidence, note } = await house.ask(question, { web: { fetchBelow: 400, maxResults: 4 } });
    expect(note).toBe('1 of 4 pages could not be read; 1 of 4 pages as the search showed them');
    const found = evidence.map(({ uri, snippet }) => [new URL(uri).pathname, snippet.slice(0, 40)]);
    expect(found).toContainEqual(['/gone', 'The deposit for a key is 180 marks, says']);
    expect(found.filter(([path]) => path === '/keys')).not.toHaveLength(0);
    expect(house.pageRequests.map(({ path }) => path)).not.toContain('https://harbour-1.example/keys');
  });

  test('leaves out what lies at addresses that may not be read, and what a site forbids', async () => {
    house.page(({ path }, response) =>
      path === '/robots.txt'
        ? void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /closed')
        : void response.writeHead(302, { location: 'http://169.254.169.254/keys' }).end(),
    );
    const shown = { content: sentence, raw_content: null };
    house.tavily(
      finding([
        { ...shown, url: 'http://10.0.0.7/keys' },
        { ...shown, url: `${house.pageUrl}/redirected` },
        { ...shown, url: `${house.pageUrl}/closed` },
        { ...shown, url: 'https://harbour-1.invalid/keys' },
      ]),
    );
    const { evidence, note } = await house.ask(question, { web: { fetchBelow: 400, maxResults: 4 } });
    expect(evidence.map(({ uri }) => uri)).toEqual(['https://harbour-1.invalid/keys']);
    expect(note).toBe('3 of 4 pages left out: their addresses may not be read; 1 of 4 pages as the search showed them');
  });

  test('finding nothing is not an outage, and an outage not finding nothing', async () => {
    house.tavily(finding([]));
    expect(await house.ask(question)).toMatchObject({ evidence: [], sent: question, note: null });
  });

  test('knows a copy of a corpus passage, and a text that two pages have', async () => {
    await house.corpus('c1', [sentence]);
    house.tavily(
      finding([
        hit(1),
        hit(2, 'Keys of the harbour office are given out on Mondays.'),
        hit(3, 'Keys of the harbour office are given out on Mondays.'),
      ]),
    );
    const { evidence } = await house.ask(question);
    expect(evidence.map(({ uri }) => uri)).toEqual(['https://harbour-2.example/keys']);
  });

  test('takes a page of any length by its passages with most of the question’s words', async () => {
    const filler = 'The ferry to the islands leaves every morning from the second pier and takes an hour. '.repeat(
      2_000,
    );
    house.tavily(finding([{ ...hit(1), raw_content: `${filler}\n\n${sentence}\n\n${filler}` }]));
    const { evidence } = await house.ask(question, { k: 3 });
    expect(evidence.length).toBeLessThanOrEqual(3);
    const [best] = await house.deps.evidence.get(access.tenant, [evidence[0]?.id ?? '']);
    expect(best?.text).toContain(sentence);
  });
});

describe('a search that is down', () => {
  const both = (code: number, headers: Record<string, string> = {}, body: unknown = {}) => {
    house.tavily(status(code, { headers, body }));
    house.searxng(status(code, { headers, body }));
  };
  test.each([
    [401, 'Web.Unauthorized', true],
    [432, 'Web.QuotaExhausted', true],
    [433, 'Web.QuotaExhausted', true],
    [500, 'Web.Unavailable', false],
    [503, 'Web.Unavailable', false],
  ])('with status %i at both fails as %s', async (code, type, nonRetryable) => {
    both(code);
    expect(await failureOf(house.ask(question))).toMatchObject({ type, nonRetryable, details: [{ sent: question }] });
    expect(house.queries()).toEqual([question, question]);
  });

  test('with a query that is refused asks nobody else', async () => {
    both(422, {}, { detail: 'Query is too long. Max query length is 400 characters.' });
    expect(await failureOf(house.ask(question))).toMatchObject({ type: 'Web.QueryTooLong', nonRetryable: true });
    expect(house.queries()).toHaveLength(1);
  });

  test('is waited for where it names a short time, and not where it names a long one', async () => {
    both(429, { 'retry-after': '1' });
    expect(await failureOf(house.ask(question))).toMatchObject({
      type: 'Web.RateLimited',
      nonRetryable: false,
      nextRetryDelay: expect.anything(),
    });
    await house.reset();
    both(429, { 'retry-after': '90' });
    expect(await failureOf(house.ask(question))).toMatchObject({ type: 'Web.RateLimited', nonRetryable: true });
  });

  test.each([
    ['no results field', status(200, { body: { answer: 'x' } }), 'Web.BadResponse'],
    ['no JSON', (_, response) => void response.end('<html>'), 'Web.BadResponse'],
    ['a cut connection', (_, response) => void response.destroy(), 'Web.Unavailable'],
    ['silence', async () => pause(1_500), 'Web.Timeout'],
  ])('with %s fails typed', async (_, handler, type) => {
    house.tavily(handler);
    house.searxng(handler);
    expect(await failureOf(house.ask(question))).toMatchObject({ type });
  });

  test('and asked to be left alone has nothing sent, and nothing is told as sent', async () => {
    both(429, { 'retry-after': '90' });
    expect(await failureOf(house.ask(question))).toMatchObject({ details: [{ sent: question }] });
    house.requests.length = 0;
    const failure = await failureOf(house.ask(question));
    expect(failure).toMatchObject({ type: 'Web.RateLimited', details: [{ calls: [] }] });
    expect(failure.details?.[0]).not.toHaveProperty('sent');
    expect(house.requests).toEqual([]);
  });

  test('since none is set up has nothing sent either', async () => {
    Object.assign(house.deps, { webSearch: createWebSearch([]) });
    const failure = await failureOf(house.ask(question));
    expect(failure).toMatchObject({ type: 'Web.Unavailable', nonRetryable: true });
    expect(failure.details?.[0]).not.toHaveProperty('sent');
  });

  test.each([
    [432, 'Web.QuotaExhausted'],
    [401, 'Web.Unauthorized'],
  ])('with status %i at Tavily only is made up for by SearXNG, and noted', async (code, type) => {
    house.tavily(status(code));
    house.searxng(finding([hit(1)]));
    const { evidence, note, sent } = await house.ask(question);
    expect(evidence).toHaveLength(1);
    expect({ note, sent }).toEqual({ note: `Tavily: ${type}; asked SearXNG instead`, sent: question });
    house.searxng(
      (_, response) => void response.end(JSON.stringify({ results: [], unresponsive_engines: [['x', 'timeout']] })),
    );
    expect(await failureOf(house.ask(question))).toMatchObject({ type: 'Web.Unavailable' });
  });

  test('is told apart from an evidence store that is down', async () => {
    house.tavily(finding([hit(1)]));
    const put = () => Promise.reject(new EvidenceError('unavailable', 'away', { retryable: true }));
    Object.assign(house.deps, { evidence: { ...house.deps.evidence, put } });
    const failure = await failureOf(house.ask(question));
    expect(failure).toMatchObject({ type: 'EvidenceStore.Unavailable', details: [{ sent: question }] });
    expect(failure).toBeInstanceOf(ApplicationFailure);
  });

  test('null contents and titles are no failure', async () => {
    house.tavily(finding([{ url: 'https://harbour-1.example/', content: null, raw_content: null }, hit(2)]));
    const { evidence, note } = await house.ask(question, { web: { robots: false } });
    expect(evidence).toHaveLength(1);
    expect(note).toBe('1 of 2 pages could not be read');
  });
});

describe('the results of a search', () => {
  const web = { cacheMinutes: 5 };
  beforeEach(() => {
    house.tavily(finding([hit(1)]));
  });

  test('are used again for the same query of the same tenant, and it is told that nothing was sent', async () => {
    const first = await house.ask(question, { web });
    const again = await house.ask(question, { web });
    expect(house.queries()).toEqual([question]);
    expect(again.evidence.map(({ id }) => id)).toEqual(first.evidence.map(({ id }) => id));
    expect([first.sent, again.sent]).toEqual([question, null]);
    expect(again.note).toMatch(/^results kept since \d{4}-.* for: What is the deposit/);
  });

  test('are those of one tenant, one query, one set of rules', async () => {
    await house.ask(question, { web });
    await house.ask(question, { web, access: { ...access, tenant: 'another' } });
    await house.ask('What is the deposit for a boat?', { web });
    await house.ask(question, { web: { ...web, maxResults: 5 } });
    await house.ask(question, { web: { ...web, domains: { allowed: [], blocked: ['example.org'] } } });
    expect(house.queries()).toHaveLength(5);
  });

  test('are not used by a tenant that has forbidden searching since', async () => {
    await house.ask(question, { web });
    await house.tenants({ test: { web: { mode: 'never' } } });
    expect(await house.ask(question, { web })).toMatchObject({
      evidence: [],
      sent: null,
      note: 'no web search: not allowed',
    });
  });

  test('are not kept without time, nor when the search failed', async () => {
    await house.ask(question, { web: { cacheMinutes: 0 } });
    await house.ask(question, { web: { cacheMinutes: 0 } });
    expect(house.queries()).toHaveLength(2);
    await house.reset();
    house.tavily(status(500));
    house.searxng(status(500));
    await failureOf(house.ask(question, { web }));
    house.tavily(finding([hit(1)]));
    expect((await house.ask(question, { web })).evidence).toHaveLength(1);
  });

  test('are kept for the next attempt of a step that failed later, which tells what the first has sent', async () => {
    const { evidence } = house.deps;
    const put = () => Promise.reject(new EvidenceError('locked', 'busy', { retryable: true }));
    Object.assign(house.deps, { evidence: { ...evidence, put } });
    const failure = await failureOf(house.ask(question, { web }));
    Object.assign(house.deps, { evidence });
    const attempt = { attempt: 2, heartbeatDetails: failure.details?.[0] };
    expect(await house.ask(question, { web, attempt })).toMatchObject({
      sent: question,
      evidence: [{ origin: 'web' }],
    });
    expect(house.queries()).toEqual([question]);
  });
});
