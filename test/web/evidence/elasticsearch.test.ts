import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createElasticsearchEvidenceStore } from '../../../adapters/store/evidence/elasticsearch/index.ts';
import { describeWithElasticsearch } from '../../elasticsearch/describe-with-elasticsearch.ts';
import { type ElasticsearchServer, startElasticsearch } from '../../elasticsearch/start-elasticsearch.ts';
import { sendJson, startWebServer } from '../support/web-server.ts';
import { describeEvidenceContract, pageOf } from './contract.ts';

const FIRST_BUILD_MS = 300_000;
/** A test machine may be busy. */
const requestTimeoutMs = 20_000;

describeWithElasticsearch('evidence in Elasticsearch', () => {
  let server: ElasticsearchServer;
  beforeAll(async () => {
    server = await startElasticsearch();
  }, FIRST_BUILD_MS);
  afterAll(() => server.stop());

  const open = (indexPrefix = `test-${randomUUID()}`) =>
    createElasticsearchEvidenceStore({ url: server.url, indexPrefix, requestTimeoutMs });

  describeEvidenceContract('elasticsearch', () => open());

  test('several processes may make the indices at once', async () => {
    const prefix = `test-${randomUUID()}`;
    const stores = await Promise.all([1, 2, 3].map(() => open(prefix)));
    await stores[0]?.put(pageOf('one'), []);
    expect(await stores[2]?.page('a', 'one')).not.toBeNull();
    await Promise.all(stores.map((store) => store.close()));
  });
});

test.each([
  [401, 'unavailable', false],
  [413, 'too_large', false],
  [429, 'unavailable', true],
  [503, 'unavailable', true],
])('status %d is %s, with nothing of what the server says', async (status, code, retryable) => {
  const server = await startWebServer(({ path }, response) => {
    const headers = { 'x-elastic-product': 'Elasticsearch' };
    if (!path.endsWith('/_mget')) sendJson(response, {}, { headers });
    else sendJson(response, { error: { type: 'some_exception', reason: 'the secret text' } }, { status, headers });
  });
  const store = await createElasticsearchEvidenceStore({ url: server.url, indexPrefix: 'test' });
  const failure = await store.get('a', ['x']).then(String, (error: unknown) => error);
  expect(failure).toMatchObject({ name: 'EvidenceError', code, retryable });
  expect(String(failure)).not.toContain('secret');
  await store.close();
  await server.close();
});

test('a server that is not there is unavailable', async () => {
  const opening = createElasticsearchEvidenceStore({ url: 'http://127.0.0.1:1' });
  await expect(opening).rejects.toMatchObject({ name: 'EvidenceError', code: 'unavailable', retryable: true });
});
