import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { createProviderEmbedding } from '../../adapters/models/provider-embedding.ts';
import { failure } from '../support/provider-server/answers.ts';
import { embedWords } from '../support/provider-server/embed-words.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { openHouse, startStack, type House, type Stack } from './stack.ts';

let server: ProviderServer;
let stack: Stack;
let index: IndexPort;
let house: House;

beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
  const choice = { provider: 'openai-compatible', model: 'bge-m3', dimensions: 64 } as const;
  const compatible = { baseUrl: server.openaiUrl, apiKey: null };
  const embedding = await createProviderEmbedding(choice, { openai: null, compatible });
  stack = await startStack();
  index = await createEmbeddedIndex({ file: ':memory:', dimensions: 64, model: embedding.id });
  house = await openHouse(stack, { embedding, index });
});
afterAll(async () => {
  await house?.close();
  await index?.close();
  await stack?.close();
  await server?.close();
});

test('failures of the embedding provider are tried again by the run, and no text is embedded twice', async () => {
  const tenant = house.tenant();
  const embedded: string[] = [];
  let failures = 0;
  server.respondWith((request) => {
    if ([2, 5, 8].includes(request.call)) {
      failures++;
      const headers = { 'retry-after-ms': '10' };
      return failures % 2 === 0 ? failure('openai', 429, { headers }) : failure('openai', 503);
    }
    embedded.push(...request.inputs);
    return embedWords(request);
  });
  const lines = Array.from({ length: 160 }, (_, n) => `Locker ${n} opens with key K-${1000 + n} at gate ${n % 7}.`);
  const file = await tenant.file('lockers.md', lines.join('\n\n'));
  const report = await tenant.ingest([file], { attempts: 8, overlapTokens: 40 });
  expect(report.counts).toMatchObject({ ready: 1, failed: 0 });
  expect(failures).toBe(3);
  expect(new Set(embedded).size).toBe(embedded.length);
  expect(embedded.length).toBeGreaterThan(160);
  const vector = await house.embedding.embedQuery('Locker 77 opens with key K-1077 at gate 0.');
  const hits = await index.search(tenant.access, {
    text: '',
    identifiers: [],
    vector,
    candidates: 3,
    statuses: ['active'],
    asOf: '2026-06-01',
  });
  expect(hits.knn[0]?.documentId).toBe('lockers.md');
}, 120_000);

test('a model that is not there fails the document at once, and says what to look at', async () => {
  const tenant = house.tenant();
  server.clear();
  server.respondWith(() => failure('openai', 404, { type: 'not_found_error' }));
  const report = await tenant.ingest([await tenant.file('a.md', 'The ferry leaves at nine.')]);
  const [document] = report.documents;
  expect(document).toMatchObject({ state: 'failed', code: 'Model.NotFound' });
  expect(document?.message).toContain('PLUMBLINE_EMBEDDING');
  expect(document?.message).not.toContain('ferry');
  expect(server.calls()).toBe(1);
}, 60_000);
