import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createElasticsearchIndex } from '../../adapters/index/elasticsearch/index.ts';
import type { Hit, IndexPort } from '../../adapters/index/port.ts';
import { describeWithElasticsearch } from '../elasticsearch/describe-with-elasticsearch.ts';
import { startElasticsearch } from '../elasticsearch/start-elasticsearch.ts';
import type { ElasticsearchServer } from '../elasticsearch/start-elasticsearch.ts';
import { caught } from './caught.ts';
import { describeIndexContract } from './contract.ts';
import { startProxy } from './elasticsearch-proxy.ts';
import type { Proxy } from './elasticsearch-proxy.ts';
import { describeVectorOrigin } from './vector-origin-contract.ts';
import { access, begin, dimensions, ingest, keyOf, metadata, passagesOf, query } from './fixtures.ts';

const FIRST_BUILD_MS = 300_000;
/** A test machine may be busy. */
const requestTimeoutMs = 20_000;

describeWithElasticsearch('an index in Elasticsearch', () => {
  let server: ElasticsearchServer;
  let raw: Client;
  let indexPrefix: string;
  const opened: IndexPort[] = [];

  beforeAll(async () => {
    server = await startElasticsearch();
    raw = new Client({ node: server.url, maxRetries: 0 });
  }, FIRST_BUILD_MS);
  afterAll(async () => {
    await raw.close();
    await server.stop();
  });
  beforeEach(() => {
    indexPrefix = `test-${randomUUID()}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((index) => index.close()));
  });

  async function open(
    options: { url?: string; rebuildLeaseMs?: number; dimensions?: number; model?: string } = {},
  ): Promise<IndexPort> {
    const index = await createElasticsearchIndex({
      url: server.url,
      indexPrefix,
      dimensions,
      requestTimeoutMs,
      ...options,
    });
    opened.push(index);
    return index;
  }

  /** Documents of each index, whatever they belong to. */
  async function stored(): Promise<Record<string, number>> {
    const counts = await Promise.all(
      ['passages', 'documents', 'texts', 'staging'].map(async (name) => {
        await raw.indices.refresh({ index: `${indexPrefix}-${name}` });
        return [name, (await raw.count({ index: `${indexPrefix}-${name}` })).count] as const;
      }),
    );
    return Object.fromEntries(counts);
  }

  describeIndexContract('elasticsearch', () =>
    createElasticsearchIndex({ url: server.url, indexPrefix: `test-${randomUUID()}`, dimensions, requestTimeoutMs }),
  );

  describeVectorOrigin('elasticsearch', () => ({
    elsewhere: 'ELASTICSEARCH_INDEX_PREFIX',
    open,
    forgetModel: async () => {
      const found = await raw.indices.getMapping({ index: `${indexPrefix}-*` });
      for (const [index, { mappings }] of Object.entries(found)) {
        const { model, ...plumbline } = mappings._meta?.plumbline as { model: string };
        expect(model).toBe('local/e5-small-v2');
        await raw.indices.putMapping({ index, _meta: { plumbline } });
      }
    },
  }));

  describe('a publication', () => {
    test('shows 24 searchers only whole versions, never none, however often it happens', async () => {
      const index = await open();
      const version = (n: number) => ({
        tenant: 'a',
        documentId: 'plan',
        version: `v${n}`,
        texts: Array.from({ length: 3 + (n % 3) * 4 }, (_, p) => `Gold plan: ${n} crowns, part ${p}`),
      });
      const whole = new Map(
        Array.from({ length: 6 }, (_, n) => [
          `v${n}`,
          passagesOf(version(n))
            .map(({ id }) => id)
            .sort(),
        ]),
      );
      await ingest(index, version(0));
      let done = false;
      const seen = new Set<string>();
      const searcher = async () => {
        while (!done) {
          const hits = await index.search(access('a'), query('Gold plan crowns', { candidates: 12 }));
          for (const leg of [hits.bm25, hits.knn]) {
            const ids = leg.map(({ passageId }) => passageId).sort();
            const name = /@(v\d)#/.exec(ids[0] ?? '')?.[1] ?? 'none';
            seen.add(name);
            expect({ name, ids }).toEqual({ name, ids: whole.get(name) });
          }
        }
      };
      const searching = Promise.all(Array.from({ length: 24 }, searcher));
      const publishing = (async () => {
        try {
          for (let n = 1; n < 6; n += 1) await ingest(index, version(n));
        } finally {
          done = true;
        }
      })();
      await Promise.all([searching, publishing]);
      expect(seen.has('v0') && seen.size > 1).toBe(true);
      expect((await index.search(access('a'), query('Gold plan'))).bm25).toHaveLength(whole.get('v5')?.length ?? 0);
      expect(await stored()).toEqual({ passages: whole.get('v5')?.length, documents: 1, texts: 1, staging: 0 });
    }, 240_000);

    test('by two workers at once, and changes of rights beside it, end in one whole state', async () => {
      const index = await open();
      const next = { tenant: 'a', documentId: 'x', version: 'v2', texts: ['lamp two', 'lamp three'] };
      await ingest(index, { tenant: 'a', documentId: 'x', texts: ['lamp one'] });
      await index.stagePassages(await begin(index, next), passagesOf(next));
      await Promise.all([
        index.publishVersion(keyOf(next)),
        index.publishVersion(keyOf(next)),
        ...['board', 'audit', 'staff'].map((group) => index.updateMetadata('a', 'x', metadata({ groups: [group] }))),
      ]);
      const groups = (await index.document(access('a', 'board', 'audit', 'staff'), 'x'))?.metadata.groups ?? [];
      expect(groups).toHaveLength(1);
      const hits = await index.search(access('a', ...groups), query('lamp'));
      for (const leg of [hits.bm25, hits.knn]) expect(idsOf(leg)).toEqual(['x@v2#0', 'x@v2#1']);
      expect(await stored()).toEqual({ passages: 2, documents: 1, texts: 1, staging: 0 });
    });

    test('leaves nothing of removed documents and versions in any index', async () => {
      const index = await open();
      const next = { tenant: 'a', documentId: 'x', version: 'v2', texts: ['lamp two'] };
      await ingest(index, { tenant: 'a', documentId: 'x', texts: ['lamp one', 'torch'] });
      await index.stagePassages(await begin(index, next), passagesOf(next));
      await index.discardVersion(keyOf(next));
      expect(await stored()).toEqual({ passages: 2, documents: 1, texts: 1, staging: 0 });
      await index.deleteDocument('a', 'x');
      expect(await stored()).toEqual({ passages: 0, documents: 0, texts: 0, staging: 0 });
    });
  });

  describe('behind a server that fails in part', () => {
    let proxy: Proxy;
    beforeEach(async () => {
      proxy = await startProxy(server.url);
    });
    afterEach(async () => {
      await proxy.stop();
    });
    const source = { tenant: 'a', documentId: 'x', texts: Array.from({ length: 12 }, (_, n) => `lamp ${n}`) };

    test('only the items that it rejected are sent again', async () => {
      const index = await open({ url: proxy.url });
      const key = await begin(index, source);
      let items = 0;
      const unlucky = new Set<string>();
      proxy.rules.failItem = ({ id, sent }) => {
        if (sent === 1 && items++ % 4 === 0) unlucky.add(id);
        return unlucky.has(id) && sent <= 2 ? { status: 429, type: 'es_rejected_execution_exception' } : null;
      };
      await index.stagePassages(key, passagesOf(source));
      expect([...proxy.sent.values()].sort()).toEqual([...Array<number>(9).fill(1), ...Array<number>(3).fill(3)]);
      proxy.rules = {};
      await index.publishVersion(key);
      expect((await index.search(access('a'), query('lamp'))).bm25).toHaveLength(12);
    });

    test('items that stay rejected fail as unavailable, and the same call succeeds later', async () => {
      const index = await open({ url: proxy.url });
      const key = await begin(index, source);
      proxy.rules.failItem = () => ({ status: 429, type: 'es_rejected_execution_exception' });
      expect(await caught(index.stagePassages(key, passagesOf(source)))).toMatchObject({
        code: 'unavailable',
        retryable: true,
      });
      proxy.rules = {};
      await index.stagePassages(key, passagesOf(source));
      await index.publishVersion(key);
      expect((await index.search(access('a'), query('lamp'))).knn).toHaveLength(12);
    });

    test.each([
      [400, 'illegal_argument_exception', 'rejected', false],
      [400, 'document_parsing_exception', 'mapping', false],
      [403, 'cluster_block_exception', 'unavailable', true],
      [503, 'unavailable_shards_exception', 'unavailable', true],
    ] as const)(
      'an item failed with %d %s is %s, named without its text',
      async (...[status, type, code, retryable]) => {
        const index = await open({ url: proxy.url });
        const key = await begin(index, source);
        proxy.rules.failItem = () => ({ status, type });
        const failure = await caught(index.stagePassages(key, passagesOf(source)));
        expect(failure).toMatchObject({ code, retryable });
        expect(failure.message).toContain(type);
        expect(JSON.stringify([failure, failure.message, failure.cause])).not.toContain('CONFIDENTIAL');
      },
    );

    test('a search that fails in one leg fails whole, and one without an answer is unavailable', async () => {
      const index = await createElasticsearchIndex({
        url: proxy.url,
        indexPrefix,
        dimensions,
        requestTimeoutMs: 5_000,
      });
      opened.push(index);
      await ingest(index, source);
      proxy.rules.failRequest = ({ path }) => (path.endsWith('/_mget') ? { status: 503, type: 'no_shard' } : null);
      expect(await caught(index.search(access('a'), query('lamp')))).toMatchObject({ code: 'unavailable' });
      proxy.rules = { delayMs: 6_000 };
      const failure = await caught(index.search(access('a'), query('lamp')));
      expect(failure).toMatchObject({ code: 'unavailable', retryable: true });
      expect(failure.message).toContain('no answer in time');
    });

    test('a publication cut short before its last step shows the old version whole, and takes no places', async () => {
      const index = await open({ url: proxy.url });
      await ingest(index, { tenant: 'a', documentId: 'x', texts: ['an old lamp', 'an old torch', 'an old lamp post'] });
      const next = { ...source, version: 'v2' };
      const key = await begin(index, next);
      await index.stagePassages(key, passagesOf(next));
      proxy.rules.failRequest = ({ method, path }) =>
        method === 'PUT' && path.includes('-documents/_doc/') ? { status: 503, type: 'cut_short' } : null;
      expect(await caught(index.publishVersion(key))).toMatchObject({ code: 'unavailable', retryable: true });
      proxy.rules = {};
      expect(await stored()).toMatchObject({ passages: 15, staging: 12 });
      const before = await index.search(access('a'), query('lamp', { candidates: 2 }));
      expect(idsOf(before.bm25)).toEqual(['x@v1#0', 'x@v1#2']);
      expect(before.knn).toHaveLength(2);
      expect(await index.passages(access('a'), ['x@v2#0', 'x@v1#0'])).toHaveLength(1);
      await index.publishVersion(key);
      const after = await index.search(access('a'), query('lamp'));
      expect(idsOf(after.bm25)).toEqual(
        passagesOf(next)
          .map(({ id }) => id)
          .sort(),
      );
      expect(await stored()).toEqual({ passages: 12, documents: 1, texts: 1, staging: 0 });
    });

    test('a right withdrawn is gone even if the copies beside the passages could not be changed', async () => {
      const index = await open({ url: proxy.url });
      await ingest(index, source);
      proxy.rules.failItem = ({ action }) => (action === 'update' ? { status: 503, type: 'cut_short' } : null);
      const withdrawn = metadata({ groups: ['board'] });
      expect(await caught(index.updateMetadata('a', 'x', withdrawn))).toMatchObject({ retryable: true });
      for (const asker of [access('a'), access('a', 'staff')]) {
        expect(await index.search(asker, query('lamp'))).toEqual({ bm25: [], knn: [] });
        expect(await index.passages(asker, ['x@v1#0'])).toEqual([]);
        expect(await index.documentText(asker, 'x')).toBeNull();
        expect(await index.counts(asker)).toEqual({ documents: 0, passages: 0 });
      }
      proxy.rules = {};
      expect(await index.updateMetadata('a', 'x', withdrawn)).toBe(true);
      expect((await index.search(access('a', 'board'), query('lamp'))).knn).toHaveLength(12);
    });
  });

  describe('an index with another mapping', () => {
    const alias = () => `${indexPrefix}-passages`;
    const first = () => `${alias()}-v1-000001`;
    const second = () => `${alias()}-v1-000002`;

    /** As if an older Plumbline had made it: another hash, and nothing of the fields that are computed. */
    async function makeOld(): Promise<void> {
      const index = await open();
      for (let n = 0; n < 30; n += 1) {
        await ingest(index, { tenant: `t${n % 3}`, documentId: `d${n}`, texts: [`lamp ${n}`, `Fault E-04${n}/b`] });
      }
      await raw.bulk({
        index: first(),
        refresh: true,
        operations: (await allOf(first())).flatMap(({ _id, _routing }) => [
          { update: { _id, routing: _routing } },
          { doc: { body: 'old words', codes: [] } },
        ]),
      });
      await mark({ hash: 'old' });
    }

    async function allOf(index: string) {
      return (await raw.search({ index, size: 1000, _source: false })).hits.hits;
    }

    async function mark(changes: object): Promise<void> {
      const found = await raw.indices.getMapping({ index: first() });
      const plumbline = { ...found[first()]?.mappings._meta?.plumbline, ...changes };
      await raw.indices.putMapping({ index: first(), _meta: { plumbline } });
    }

    async function expectBuiltAnew(index: IndexPort): Promise<void> {
      expect(Object.keys(await raw.indices.get({ index: alias() }))).toEqual([second()]);
      expect(await raw.indices.exists({ index: first() })).toBe(false);
      expect((await stored()).passages).toBe(60);
      const hits = await index.search(access('t1'), query('lamp', { identifiers: ['E-0413/b'] }));
      expect(hits.bm25).toHaveLength(11);
      expect(hits.bm25[0]?.passageId).toBe('d13@v1#1');
      expect(hits.knn).toHaveLength(20);
      await ingest(index, { tenant: 't1', documentId: 'later', texts: ['quokka'] });
      expect((await index.search(access('t1'), query('quokka'))).bm25).toHaveLength(1);
    }

    test('is built anew while others search it, and loses no write', async () => {
      await makeOld();
      const other = opened[0] ?? (await open());
      let done = false;
      const searching = (async () => {
        while (!done) expect((await other.search(access('t0'), query('fault'))).knn).toHaveLength(20);
      })();
      const taken: string[] = [];
      const writing = (async () => {
        for (let n = 0; !done; n += 1) {
          const outcome = await ingest(other, { tenant: 'w', documentId: `w${n}`, texts: ['written'] }).catch(
            (error: unknown) => error,
          );
          if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'unavailable', retryable: true });
          else taken.push(`w${n}@v1#0`);
        }
      })();
      const index = await open();
      done = true;
      await Promise.all([searching, writing]);
      const hits = await index.search(access('w'), query('written', { candidates: 1000 }));
      expect(idsOf(hits.knn)).toEqual(taken.sort());
      for (const id of taken) await index.deleteDocument('w', id.replace('@v1#0', ''));
      await expectBuiltAnew(index);
    }, 240_000);

    test('is built anew once by two that start together', async () => {
      await makeOld();
      const [index] = await Promise.all([open(), open()]);
      await expectBuiltAnew(index);
    }, 240_000);

    test('is built anew by the next one when it was cut short', async () => {
      await makeOld();
      await raw.indices.create({ index: second() });
      await raw.indices.addBlock({ index: first(), block: 'write' });
      await raw.index({ index: `${indexPrefix}-locks`, id: 'passages', document: { owner: 'gone', renewals: {} } });
      await expectBuiltAnew(await open({ rebuildLeaseMs: 1_000 }));
    }, 240_000);

    test('that was left blocked by one that gave up takes writes again', async () => {
      const index = await open();
      const source = { tenant: 'a', documentId: 'x', texts: ['lamp'] };
      await raw.indices.addBlock({ index: first(), block: 'write' });
      expect(await caught(ingest(index, source))).toMatchObject({ code: 'unavailable', retryable: true });
      await ingest(await open(), source);
      expect((await index.search(access('a'), query('lamp'))).bm25).toHaveLength(1);
    });

    test('is refused when it is newer, of other vectors or not of Plumbline', async () => {
      await open();
      expect(await caught(open({ dimensions: 512 }))).toMatchObject({ code: 'mapping', retryable: false });
      await mark({ schema: 99 });
      expect(await caught(open())).toMatchObject({ code: 'mapping', retryable: false });
      indexPrefix = `test-${randomUUID()}`;
      await raw.indices.create({ index: `${indexPrefix}-passages` });
      expect(await caught(open())).toMatchObject({ code: 'corrupt', retryable: false });
    });
  });

  test.each([0, 4097, NaN])('a search for %d candidates is refused', async (candidates) => {
    const index = await open();
    expect(await caught(index.search(access('a'), query('lamp', { candidates })))).toMatchObject({ code: 'rejected' });
  });

  test('a search gives up to 4096 candidates from each leg', async () => {
    const index = await open();
    const texts = Array.from({ length: 4100 }, (_, n) => `lamp ${n}`);
    await ingest(index, { tenant: 'a', documentId: 'lamps', texts });
    const hits = await index.search(access('a'), query('lamp', { candidates: 4096 }));
    expect([hits.bm25.length, hits.knn.length]).toEqual([4096, 4096]);
  }, 240_000);

  test('Thai and Korean are found by their words, and a run of 40,000 characters breaks nothing', async () => {
    const index = await open();
    const texts = [
      'ตรวจสอบอุปกรณ์ทุกวันอังคาร',
      '설비 점검은 매월 둘째 화요일에 한다',
      `data ${'x9'.repeat(20_000)}`,
      'lamp',
    ];
    await ingest(index, { tenant: 'a', documentId: 'x', texts });
    const found = async (text: string) => idsOf((await index.search(access('a'), query(text, { vector: null }))).bm25);
    expect(await found('อุปกรณ์')).toEqual(['x@v1#0']);
    expect(await found('점검')).toEqual(['x@v1#1']);
    expect(await found('data')).toEqual(['x@v1#2']);
  });

  test('a closed index says so', async () => {
    const index = await open();
    await index.close();
    expect(await caught(index.search(access('a'), query('lamp')))).toMatchObject({
      code: 'unavailable',
      retryable: false,
    });
    expect(await index.health()).toEqual({ ok: false, detail: 'the index is closed' });
  });
});

function idsOf(hits: Hit[]): string[] {
  return hits.map(({ passageId }) => passageId).sort();
}
