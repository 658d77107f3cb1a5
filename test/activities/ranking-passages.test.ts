import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { rankHits, rankPassages } from '../../activities/rank-passages.ts';
import { createRetrieve, type RetrieveOutput } from '../../activities/retrieve.ts';
import type { Fusion } from '../../domain/contracts/fusion.ts';
import { fuse } from '../../domain/rules/fusion.ts';
import { loadPolicies } from '../../policies/load.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { access, dimensions, fakeVector, ingest, query } from '../index/fixtures.ts';

const rrf = { method: 'rrf', rankConstant: 60, weights: { bm25: 1, knn: 1 } } as const;
const asker = access('house');
const embedding: EmbeddingModel = {
  id: 'test/bag-of-words',
  dimensions,
  maxTokens: 512,
  embedQuery: (text) => Promise.resolve(fakeVector(text)),
  embedPassages: (texts) => Promise.resolve(texts.map(fakeVector)),
  countTokens: (text) => text.length,
  close: () => Promise.resolve(),
};

describe('ranking the hits of both legs', () => {
  let folder: string;
  let index: IndexPort;
  let rescoring: Fusion;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-ranking-'));
    index = await createEmbeddedIndex({ file: join(folder, 'index.db'), dimensions });
    rescoring = (await loadPolicies()).get('default')?.retrieval.fusion ?? rrf;
    await ingest(index, {
      tenant: 'house',
      documentId: 'tides',
      texts: ['The harbour closes at low tide.', 'The harbour lamp is green.', '設備点検は毎月第二火曜日に行う。'],
    });
  });
  afterAll(async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the default policy compares each hit with the question', async () => {
    expect(rescoring.method).toBe('rescore');
    const { ranked, gone } = await rankPassages(index, asker, { query: query('harbour tide'), fusion: rescoring });
    expect(gone).toBe(0);
    expect(ranked.map(({ passageId }) => passageId)).toEqual(['tides@v1#0', 'tides@v1#1', 'tides@v1#2']);
    expect(ranked[0]?.score).toBeCloseTo(1, 1);
  });

  test.each([
    ['in a language that the vectors do not speak', query('設備点検')],
    ['without a vector', query('harbour', { vector: null })],
  ])('ranks %s by ranks alone', async (_, question) => {
    const hits = await index.search(asker, question);
    const { ranked } = await rankHits(index, asker, { hits, query: question, fusion: rescoring });
    expect(ranked).toEqual(fuse(hits, rrf));
    expect(ranked.length).toBeGreaterThan(0);
  });

  test('tells how many hits have gone since the search', async () => {
    await ingest(index, { tenant: 'house', documentId: 'notice', texts: ['The harbour is shut.'] });
    const question = query('harbour');
    const hits = await index.search(asker, question);
    await index.deleteDocument('house', 'notice');
    const { ranked, gone } = await rankHits(index, asker, { hits, query: question, fusion: rescoring });
    expect(gone).toBe(1);
    expect(ranked.map(({ passageId }) => passageId)).not.toContain('notice@v1#0');
    expect(ranked).toHaveLength(3);
  });

  test('a document replaced while its passages are compared is found in its new version', async () => {
    await ingest(index, { tenant: 'house', documentId: 'price', texts: ['The gold plan costs 40 crowns.'] });
    const texts = ['The gold plan costs 55 crowns.'];
    const replacing = beforeComparing(
      index,
      once(() => ingest(index, { tenant: 'house', documentId: 'price', version: 'v2', texts })),
    );
    const { evidence } = await retrieve(replacing);
    expect(evidence.map(({ id }) => id).filter((id) => id.startsWith('price'))).toEqual(['price@v2#0']);
  });

  test('documents that are replaced again and again fail the step, and are never left out in silence', async () => {
    let version = 10;
    const texts = ['The gold plan costs some crowns.'];
    const unsteady = beforeComparing(index, () =>
      ingest(index, { tenant: 'house', documentId: 'price', version: `v${version++}`, texts }),
    );
    await expect(retrieve(unsteady)).rejects.toMatchObject({ type: 'Evidence.Gone' });
  });

  function beforeComparing(real: IndexPort, work: () => Promise<unknown>): IndexPort {
    return {
      ...real,
      async compare(asking, ids, question) {
        await work();
        return real.compare(asking, ids, question);
      },
    };
  }

  function retrieve(over: IndexPort): Promise<RetrieveOutput> {
    const retrieval = { k: 4, candidates: 20, fusion: rescoring, nearDuplicate: 0.9, statuses: ['active' as const] };
    const input = { access: asker, query: 'gold plan costs', identifiers: [], retrieval, asOf: '2026-06-15' };
    const step = createRetrieve({ index: over, embedding });
    const environment = new MockActivityEnvironment(
      { startToCloseTimeoutMs: 60_000 },
      { logger: new DefaultLogger('ERROR') },
    );
    return environment.run(() => step(input));
  }
});

function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () => (done ??= work());
}
