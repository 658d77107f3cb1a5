import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createElasticsearchIndex } from '../../adapters/index/elasticsearch/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { describeWithElasticsearch } from '../elasticsearch/describe-with-elasticsearch.ts';
import { startElasticsearch } from '../elasticsearch/start-elasticsearch.ts';
import type { ElasticsearchServer } from '../elasticsearch/start-elasticsearch.ts';
import { caught } from './caught.ts';
import { access, begin, dimensions, ingest, passagesOf, query } from './fixtures.ts';

const FIRST_BUILD_MS = 300_000;

describeWithElasticsearch('when Elasticsearch is killed', () => {
  let server: ElasticsearchServer;
  let index: IndexPort;

  beforeAll(async () => {
    server = await startElasticsearch();
    index = await createElasticsearchIndex({ url: server.url, dimensions, requestTimeoutMs: 20_000 });
  }, FIRST_BUILD_MS);
  afterAll(async () => {
    await index.close();
    await server.stop();
  });

  const found = async (tenant: string) => {
    const hits = await index.search(access(tenant), query('log line', { candidates: 1000 }));
    return [hits.bm25, hits.knn].map((leg) => leg.map(({ passageId }) => passageId).sort());
  };

  test('while passages are staged, the ingestion goes on where it was and doubles nothing', async () => {
    const source = { tenant: 'a', documentId: 'log', texts: Array.from({ length: 400 }, (_, n) => `log line ${n}`) };
    const passages = passagesOf(source);
    const ids = passages.map(({ id }) => id);
    const key = await begin(index, source);
    const staging = (async () => {
      for (let start = 0; start < passages.length; start += 10) {
        await index.stagePassages(key, passages.slice(start, start + 10));
        if (start === 100) void server.kill();
      }
    })();
    expect(await caught(staging)).toMatchObject({ code: 'unavailable', retryable: true });
    expect(await caught(index.search(access('a'), query('log line')))).toMatchObject({ code: 'unavailable' });
    expect((await index.health()).ok).toBe(false);

    await server.restart();
    await begin(index, source);
    const missing = new Set(await index.missingPassages(key, ids));
    expect(missing.size).toBeGreaterThan(0);
    expect(missing.size).toBeLessThanOrEqual(290);
    expect(await found('a')).toEqual([[], []]);
    await index.stagePassages(
      key,
      passages.filter(({ id }) => missing.has(id)),
    );
    await index.publishVersion(key);
    expect(await found('a')).toEqual([[...ids].sort(), [...ids].sort()]);
    expect((await index.health()).ok).toBe(true);
  }, 240_000);

  test('while a version is published, publishing again ends with the new one whole', async () => {
    const source = { tenant: 'b', documentId: 'log', texts: Array.from({ length: 900 }, (_, n) => `log line ${n}`) };
    const next = { ...source, version: 'v2', texts: source.texts.slice(0, 700) };
    await ingest(index, source);
    const key = await begin(index, next);
    await index.stagePassages(key, passagesOf(next));
    const publishing = caught(index.publishVersion(key));
    await new Promise((resolve) => setTimeout(resolve, 150));
    await server.kill();
    expect(await publishing).toMatchObject({ code: 'unavailable', retryable: true });
    await server.restart();
    const whole = [source, next].map((version) =>
      passagesOf(version)
        .map(({ id }) => id)
        .sort(),
    );
    for (const leg of await found('b')) expect(whole).toContainEqual(leg);
    await index.publishVersion(key);
    expect(await found('b')).toEqual([whole[1], whole[1]]);
    expect(await index.counts(access('b'))).toEqual({ documents: 1, passages: 700 });
  }, 240_000);
});
