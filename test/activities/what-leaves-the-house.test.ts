import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { rewriteQuery } from '../../domain/rules/rewrite.ts';
import { failureOf } from './answer-house.ts';
import { finding, status } from './web-answers.ts';
import { openWebHouse, type WebHouse } from './web-house.ts';

let house: WebHouse;
beforeAll(async () => {
  house = await openWebHouse();
});
beforeEach(async () => {
  await house.reset();
  house.tavily(finding([{ url: 'https://claims.example/rules', content: 'A claim is refused when it comes late.' }]));
});
afterAll(() => house.close());

const question = "Why was Tilda Marsh's claim CL-88412 (tilda@example.invalid) refused?";
const secrets = { names: ['Tilda Marsh'], patterns: ['CL-\\d+'] };

describe('a tenant that allows no web', () => {
  const never = { test: { web: { mode: 'never' } } };

  test('has nothing sent, at the first attempt or a later one', async () => {
    await house.tenants(never);
    for (const attempt of [1, 2, 3]) {
      expect(await house.ask(question, { attempt: { attempt } })).toMatchObject({
        evidence: [],
        sent: null,
        note: 'no web search: not allowed',
      });
    }
    expect(house.requests).toEqual([]);
    expect(house.pageRequests).toEqual([]);
  });

  test('is obeyed from the moment of the change, in runs that began before it', async () => {
    house.tavily(status(500));
    house.searxng(status(500));
    const failed = await failureOf(house.ask(question));
    expect(house.requests).toHaveLength(2);
    await house.tenants(never);
    const retried = await house.ask(question, { attempt: { attempt: 2, heartbeatDetails: failed.details?.[0] } });
    expect(retried).toMatchObject({ evidence: [], note: 'no web search: not allowed' });
    expect(retried.sent).toBe(house.queries()[0]);
    expect(house.requests).toHaveLength(2);
  });

  test('is obeyed whatever the policy of the run says, and the policy whatever the tenant says', async () => {
    await house.tenants(never);
    await house.ask(question, { web: { mode: 'allowed' } });
    await house.tenants({ test: { web: { mode: 'allowed' } } });
    expect(await house.ask(question, { web: { mode: 'never' } })).toMatchObject({ sent: null });
    expect(await house.ask(question, { web: { mode: 'ask' } })).toMatchObject({
      sent: null,
      note: 'no web search: a person must allow it',
    });
    expect(house.requests).toEqual([]);
  });

  test('is taken for granted while the rules of tenants cannot be read', async () => {
    await house.tenantsText('{ "test": ');
    expect(await failureOf(house.ask(question))).toMatchObject({ type: 'Tenant.RulesUnreadable', nonRetryable: false });
    expect(house.requests).toEqual([]);
  });
});

describe('a tenant that allows the web', () => {
  test('has no address, no private name and no own id sent', async () => {
    await house.tenants({ test: { web: { private: secrets } } });
    const { sent, note, evidence } = await house.ask(question);
    expect(evidence).toHaveLength(1);
    expect(house.queries()).toEqual([sent]);
    expect(sent).toMatch(/^Why was claim.* refused\?$/);
    expect(JSON.stringify(house.requests)).not.toMatch(/tilda|marsh|88412|example\.invalid/i);
    expect(note).toMatch(/^taken out of the query: /);
    expect(note).not.toMatch(/tilda|88412/i);
  });

  test('has nothing of these sent by a rewritten query, in whatever parts, and it is noted', async () => {
    await house.tenants({ test: { web: { private: secrets } } });
    const { sent, note } = await house.ask(question, { query: 'claim CL 88412 refused tilda, marsh-tilda; example' });
    expect(sent).toBe('claim refused');
    expect(note).toBe('taken out of the query: tenant_pattern, email');
    const analysis = analyseQuestion(question);
    const input = { question, analysis, missing: analysis.aspects, neighbours: [], tried: [] };
    const query = rewriteQuery(input, { minWords: 6, maxWords: 14 }) ?? '';
    expect(query).toMatch(/88412/);
    expect((await house.ask(question, { query })).sent).toBe('claim refused');
    expect(JSON.stringify(house.requests)).not.toMatch(/tilda|marsh|88412|example|invalid/i);
  });

  test('has nothing of what stands in the part of a long text that is not searched for', async () => {
    const log = `My card is 4111 1111 1111 1111.\n${'Line of a log.\n'.repeat(80)}Why does unit Q7-Lima stop?`;
    const { sent } = await house.ask(log, { asked: log, query: 'Q7-Lima stop 4111 unit' });
    expect(sent).toBe('Q7-Lima stop unit');
  });

  test('may hold names private by the policy, too', async () => {
    await house.ask(question, { web: { private: secrets } });
    expect(JSON.stringify(house.requests)).not.toMatch(/tilda|marsh|88412/i);
  });

  test('has no search for a text of which nothing may leave', async () => {
    const { sent, note } = await house.ask('tilda@example.invalid +49 30 1234567?', { web: { private: secrets } });
    expect(sent).toBeNull();
    expect(note).toMatch(/^no web search: nothing that may leave is left \(taken out: .*email/);
    expect(house.requests).toEqual([]);
  });

  test('has a domain that it blocks neither asked for nor read', async () => {
    await house.tenants({ test: { web: { domains: { allowed: [], blocked: ['claims.example'] } } } });
    expect((await house.ask(question)).evidence).toEqual([]);
    expect(JSON.parse(house.requests[0]?.body ?? '')).toMatchObject({ exclude_domains: ['claims.example'] });
  });
});

describe('passages of documents that are restricted to groups', () => {
  const words = 'the Bremen depot closes for good in March because of the flood damage';

  test('are not quoted in a query', async () => {
    await house.corpus('secret', [`The board has decided that ${words}.`], ['board']);
    const { sent, note } = await house.ask(`Is it true that ${words}, and who pays for it?`);
    expect(sent).toBe('Is it true, and who pays for it?');
    expect(note).toContain('private_span');
  });

  test('may be asked about in words of one’s own, and those of open documents word for word', async () => {
    await house.corpus('secret', [`The board has decided that ${words}.`], ['board']);
    await house.corpus('open', ['The late fee of the public library is nine marks a week.']);
    const own = 'When is the depot in Bremen shut, and who insures floods?';
    expect((await house.ask(own)).sent).toBe(own);
    const open = 'Since when is the late fee of the public library nine marks a week?';
    expect((await house.ask(open)).sent).toBe(open);
  });

  test('lend no word of their titles and texts to a rewritten query', async () => {
    await house.corpus('Plumbago', ['The Plumbago acquisition is priced at ninety million.'], ['board']);
    await house.corpus('Library', ['The late fee of the public library is nine marks a week.']);
    const asked = 'What is the price?';
    const analysis = analyseQuestion(asked);
    const query = rewriteQuery(
      { question: asked, analysis, missing: [], neighbours: ['Manual Plumbago', 'Manual Library'], tried: [] },
      { minWords: 6, maxWords: 14 },
    );
    expect(query).toMatch(/plumbago/i);
    const { sent } = await house.ask(asked, { query: query ?? '' });
    expect(sent).toMatch(/price/);
    expect(sent).not.toMatch(/plumbago|acquisition|ninety/i);
    expect(sent).toMatch(/library/i);
  });

  test('that cannot be read any more keep the search from being made', async () => {
    const failure = await failureOf(house.ask(question, { corpusPassages: ['gone'] }));
    expect(failure.type).toBe('Evidence.Gone');
    expect(house.requests).toEqual([]);
  });
});

describe('a long text', () => {
  const log = Array.from({ length: 220 }, (_, n) => `12:${n} pump ${n % 9} reports pressure within limits`).join('\n');

  test.each([
    ['a pasted log', `${log}\nWhy does unit Q7-Lima stop at step 14?`, /^Why does unit Q7-Lima stop at step 14\?/],
    ['400 characters', 'w'.repeat(399) + '?', /w/],
    ['401 characters', 'w'.repeat(400) + '?', /w/],
    ['emoji and a question', `${'🛥'.repeat(240)}\nWhat does a boat cost?`, /boat cost/],
  ])('%s is sent as at most 400 characters, whole ones', async (_, text, kept) => {
    const { sent } = await house.ask(text);
    expect(sent?.length).toBeLessThanOrEqual(400);
    expect(sent?.isWellFormed()).toBe(true);
    expect(sent).toMatch(kept);
    expect(house.queries()).toEqual([sent]);
  });

  test('of nothing but signs is not searched for', async () => {
    for (const text of ['?', '…!', '🛥'.repeat(400)]) expect(await house.ask(text)).toMatchObject({ sent: null });
    expect(house.requests).toEqual([]);
  });
});
