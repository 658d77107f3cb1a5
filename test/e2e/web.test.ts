import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Outcome } from '../../domain/contracts/answer.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';
import { sendJson, startWebServer, type WebServer } from '../web/support/web-server.ts';

const question = 'What is the top speed of the workboat Petrel in knots?';
const fact = 'The workboat Petrel reaches a top speed of 21 knots when it is not towing.';

const around =
  'It was built at the yard in Ravelin in 2019, has a crew of three, and carries a crane for buoys. In winter it breaks thin ice for the ferries. ' +
  'The harbour office lends it to the lighthouse service twice a year, in May and in October, for work on the lamps of the outer pier.';

const tokenOf = (tenant: string) => `the-token-of-${tenant}`;
const principals = ['main', 'closed'].map((tenant) => ({
  token: tokenOf(tenant),
  tenant,
  user: 'u',
  groups: ['staff'],
}));

type Ended = Outcome & { run: { workflowId: string } };

async function ask(house: House, body: { question: string; policy?: string }, tenant = 'main'): Promise<Ended> {
  const headers = { prefer: 'wait=60' };
  const init = { method: 'POST', headers, token: tokenOf(tenant), body: JSON.stringify(body) };
  return (await (await house.fetch('/v1/questions', init)).json()) as Ended;
}

describe('a stack with a web search', () => {
  let search: WebServer;
  let house: House;
  let stack: PlumblineProcess;
  let hits: object[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-web-policies-'));
  const policies = join(folder, 'policies');
  const tenants = join(folder, 'tenants.json');
  beforeAll(async () => {
    search = await startWebServer((_, response) => sendJson(response, { results: hits }));
    const web = JSON.parse(readFileSync(new URL('../../policies/web.json', import.meta.url), 'utf8')) as {
      web: object;
    };
    const heavy = { ...web, name: 'heavy', web: { ...web.web, maxResults: 20, cacheMinutes: 0 } };
    mkdirSync(policies);
    writeFileSync(join(policies, 'heavy.json'), JSON.stringify(heavy));
    house = await House.create(principals);
    writeFileSync(tenants, JSON.stringify({ closed: { web: { mode: 'never' } } }));
    stack = await house.up({
      TAVILY_API_KEY: 'scripted',
      TAVILY_BASE_URL: search.url,
      PLUMBLINE_TENANTS: tenants,
      PLUMBLINE_POLICIES: policies,
    });
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    house.remove();
    await search.close();
    rmSync(folder, { recursive: true });
  });

  test('answers from it what the documents do not say, with the address and the time of reading', async () => {
    hits = [{ url: 'https://boats.example/petrel', title: 'Petrel', content: `${fact} ${around}` }];
    const outcome = await ask(house, { question, policy: 'web' });
    expect(outcome).toMatchObject({
      status: 'answered',
      statements: [{ text: fact }],
      citations: [{ origin: 'web', uri: 'https://boats.example/petrel', title: 'Petrel', quote: fact }],
    });
    expect(Date.now() - Date.parse(outcome.citations[0]?.readAt ?? '')).toBeLessThan(60_000);
    const sent = search.requests.map(({ body }) => (JSON.parse(body) as { query: string }).query);
    expect(outcome.ledger.filter(({ tier }) => tier === 'web').map(({ query }) => query)).toEqual(sent);
  });

  test('does not use it for a tenant that forbids it, nor for small talk', async () => {
    search.requests.length = 0;
    const outcome = await ask(house, { question, policy: 'web' }, 'closed');
    expect(outcome.status).toBe('abstained');
    expect(outcome.ledger.find(({ tier }) => tier === 'web')).toMatchObject({
      query: '',
      note: 'no web search: not allowed',
    });
    await ask(house, { question: 'thanks!', policy: 'web' });
    expect(search.requests).toEqual([]);
  });

  test('carries no text of thirty hits of 200 kB in the run’s history', async () => {
    const filler = 'The ferry to the islands leaves every morning from the second pier and takes an hour. ';
    hits = Array.from({ length: 30 }, (_, n) => ({
      url: `https://boats-${n}.example/`,
      title: `Boats ${n}`,
      content: 'boats',
      raw_content: `Note ${n}. ${filler.repeat(2300)}${n === 1 ? fact : ''} ${filler.repeat(20)}`,
    }));
    const outcome = await ask(house, { question, policy: 'heavy' });
    expect(outcome.degraded).toEqual([]);
    expect(outcome).toMatchObject({ status: 'answered', citations: [{ uri: 'https://boats-1.example/' }] });
    expect(await largestPayload(house, outcome.run.workflowId)).toBeLessThan(64_000);
  }, 120_000);
});

describe('a stack without a web search', () => {
  let house: House;
  let stack: PlumblineProcess;
  beforeAll(async () => {
    house = await House.create(principals);
    stack = await house.up({ TAVILY_API_KEY: '', SEARXNG_URL: '' });
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    house.remove();
  });

  test('ends an ambiguous question right under the default policy', async () => {
    const outcome = await ask(house, { question });
    expect(outcome.status).toBe('abstained');
    expect(outcome.ledger.map(({ tier }) => tier)).not.toContain('web');
    expect(outcome.degraded).toEqual([]);
  });

  test('and under the one that allows the web, saying that nobody has looked', async () => {
    const outcome = await ask(house, { question, policy: 'web' });
    expect(outcome.status).toBe('abstained');
    expect(outcome.ledger.find(({ tier }) => tier === 'web')).toMatchObject({
      note: 'the web search failed: Web.Unavailable',
    });
    expect(outcome.degraded).toEqual([
      { step: 'search-web', reason: 'Web.Unavailable', instead: 'what the corpus gives' },
    ]);
  });
});

/** In bytes, of all inputs and results in a run's history. */
async function largestPayload(house: House, workflowId: string): Promise<number> {
  const connection = await Connection.connect({ address: house.temporalAddress });
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
    const sizes = (events ?? []).map((event) => JSON.stringify(event).length);
    return Math.max(...sizes);
  } finally {
    await connection.close();
  }
}
