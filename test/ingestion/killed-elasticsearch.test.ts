import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@elastic/elasticsearch';
import { createElasticsearchIndex } from '../../adapters/index/elasticsearch/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { describeWithElasticsearch } from '../elasticsearch/describe-with-elasticsearch.ts';
import { startElasticsearch } from '../elasticsearch/start-elasticsearch.ts';
import type { ElasticsearchServer } from '../elasticsearch/start-elasticsearch.ts';
import { dimensions, fakeEmbedding } from './fake-embedding.ts';
import { longestMemo, memoCount, parallel, startMemos, until, visible } from './many-documents.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack } from './stack.ts';

const FIRST_BUILD_MS = 300_000;

describeWithElasticsearch('when Elasticsearch is killed in the middle of 200 documents', () => {
  let server: ElasticsearchServer;
  let client: Client;
  let index: IndexPort;
  let stack: Stack;
  let house: House;
  /** With the embedded index: quicker, and it must hold the same. */
  let undisturbed: House;
  let embedded = 0;

  beforeAll(async () => {
    server = await startElasticsearch();
    client = new Client({ node: server.url });
    index = await createElasticsearchIndex({ url: server.url, dimensions });
    stack = await startStack();
    const embedding = counting(fakeEmbedding({ delayMs: 15 }));
    house = await openHouse(stack, { index, embedding });
    undisturbed = await openHouse(stack, { embedding });
  }, FIRST_BUILD_MS);
  afterAll(async () => {
    await undisturbed?.close();
    await house?.close();
    await stack?.close();
    await index?.close();
    await client?.close();
    await server?.stop();
  });

  function counting(model: EmbeddingModel): EmbeddingModel {
    return {
      ...model,
      embedPassages: async (texts, signal) => {
        const vectors = await model.embedPassages(texts, signal);
        embedded += texts.length;
        return vectors;
      },
    };
  }

  /** Documents of Elasticsearch in one of its indices. */
  async function stored(name: string): Promise<number> {
    await client.indices.refresh({ index: `plumbline-${name}` });
    return (await client.count({ index: `plumbline-${name}` })).count;
  }

  test('and started again, each is there once, as if nothing had happened', async () => {
    const calm = undisturbed.tenant();
    await (await startMemos(undisturbed, calm)).result();
    const needed = embedded;
    const expected = await visible(undisturbed, calm);
    const { passages } = await calm.counts();
    expect(expected.size).toBe(memoCount);

    const struck = house.tenant();
    await (await startMemos(house, struck, { count: 20, edition: 'first' })).result();
    embedded = 0;
    const run = await startMemos(house, struck);
    await until(run, ({ done, inFlight }) => done >= memoCount * 0.45 && inFlight.length === parallel);
    await server.kill();
    await server.restart();
    const midway = await struck.counts();
    const report = await run.result();

    expect(midway.documents).toBeLessThan(memoCount);
    expect(report).toMatchObject({ total: memoCount, omitted: 0, documents: [] });
    expect(report.counts).toMatchObject({ ready: memoCount, failed: 0, readyWithWarnings: 0, unchanged: 0 });
    expect(await visible(house, struck)).toEqual(expected);
    expect(await struck.counts()).toEqual({ documents: memoCount, passages });
    expect(await struck.found('first')).toEqual([]);
    expect(await stored('staging')).toBe(0);
    expect(await stored('passages')).toBe(passages);
    expect(await stored('texts')).toBe(memoCount);
    // Only what was under way may have been embedded again.
    expect(embedded).toBeGreaterThanOrEqual(needed);
    expect(embedded).toBeLessThanOrEqual(needed + parallel * longestMemo);
  }, 300_000);
});
