import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IndexError } from '../../adapters/index/port.ts';
import type { Hit, IndexPort, SearchQuery } from '../../adapters/index/port.ts';
import type { Access } from '../../domain/contracts/access.ts';
import { access, begin, dimensions, fakeVector, ingest, keyOf, metadata, passagesOf, query } from './fixtures.ts';
import type { Source } from './fixtures.ts';
import { describeComparing } from './comparing-contract.ts';

/** What every implementation of the index port must do. One index for all tests; each test has tenants of its own. */
export function describeIndexContract(name: string, makeIndex: () => Promise<IndexPort>): void {
  describe(`index contract: ${name}`, () => {
    let index: IndexPort;
    let tenant: string;
    let everyone: Access;

    beforeAll(async () => {
      index = await makeIndex();
    });
    afterAll(async () => {
      await index.close();
    });
    beforeEach(() => {
      tenant = `t-${randomUUID()}`;
      everyone = access(tenant);
    });

    const put = (documentId: string, texts: string[], rest: Partial<Source> = {}) =>
      ingest(index, { tenant, documentId, texts, ...rest });
    const bm25 = async (text: string, rest: Partial<SearchQuery> = {}, asker = everyone) =>
      ids((await index.search(asker, query(text, { vector: null, ...rest }))).bm25);
    const knn = async (text: string, rest: Partial<SearchQuery> = {}, asker = everyone) =>
      ids((await index.search(asker, query(text, rest))).knn);

    describe('search', () => {
      test('finds a passage by words and by vector, best first, with its document', async () => {
        await put('tides', ['The harbour closes at low tide.', 'Parking is free on Sundays.']);
        await put('menu', ['The canteen serves soup at noon.']);
        const hits = await index.search(everyone, query('harbour tide'));
        expect(hits.bm25.map(({ passageId, documentId }) => [passageId, documentId])).toEqual([
          ['tides@v1#0', 'tides'],
        ]);
        expect(hits.knn.map(({ passageId }) => passageId)[0]).toBe('tides@v1#0');
        expect(hits.knn).toHaveLength(3);
        expect(scores(hits.knn)).toEqual([...scores(hits.knn)].sort((a, b) => b - a));
      });

      test('scores the vector leg by cosine similarity', async () => {
        await put('a', ['amber lantern']);
        const same = await index.search(everyone, query('amber lantern'));
        expect(same.knn[0]?.score).toBeCloseTo(1, 2);
        const half = await index.search(everyone, query('amber lantern', { vector: fakeVector('amber') }));
        expect(half.knn[0]?.score).toBeCloseTo(dot(fakeVector('amber'), fakeVector('amber lantern')), 2);
      });

      test('gives no more than the candidates asked for, and without a vector only the words', async () => {
        await put(
          'many',
          Array.from({ length: 9 }, (_, n) => `pump number ${n}`),
        );
        const hits = await index.search(everyone, query('pump', { candidates: 4 }));
        expect([hits.bm25.length, hits.knn.length]).toEqual([4, 4]);
        expect((await index.search(everyone, query('pump', { vector: null }))).knn).toEqual([]);
      });

      test('matches inflected forms, accents and ligatures', async () => {
        await put('plan', ['The final office floor plan is certified.', 'Café opening hours', 'Unrelated words here']);
        expect(await bm25('certi\ufb01ed o\ufb03ce \ufb02oor')).toEqual(['plan@v1#0']);
        expect(await bm25('certifying floors')).toEqual(['plan@v1#0']);
        expect(await bm25('cafe')).toEqual(['plan@v1#1']);
      });

      test('finds words of the title and headings', async () => {
        await put('a', ['Twelve per cent.'], { metadata: { title: 'Reimbursement policy' } });
        await put('b', ['Nothing of that kind.']);
        expect(await bm25('reimbursement')).toEqual(['a@v1#0']);
      });

      test('segments Japanese and Chinese and folds full-width forms', async () => {
        await put('japanese', ['設備点検は毎月第二火曜日に行う。', '点心と火鍋の設備', '型番ＡＢ１２の保証']);
        expect((await bm25('設備点検'))[0]).toBe('japanese@v1#0');
        expect((await bm25('点検'))[0]).toBe('japanese@v1#0');
        expect(await bm25('AB12')).toEqual(['japanese@v1#2']);
        expect(await bm25('ＡＢ１２')).toEqual(['japanese@v1#2']);
      });

      test('takes operators, quotes and brackets as text', async () => {
        await put('codes', ['Fault E-0417/b means that the shutter is jammed.', 'The lamp is green.']);
        for (const text of [
          '"NOT" AND (E-0417/b*)',
          'shutter"',
          "shutter' OR 1=1 --",
          'shutter NEAR(x, 2) ^y {body} : z',
          'body:shutter \\ + - ! ~ [a]',
        ]) {
          expect(await bm25(text)).toEqual(['codes@v1#0']);
        }
      });

      test.each(['', '?', '   ', '🙂🙃', '"*"', '()'])(
        'finds nothing by words for %j, which has none',
        async (text) => {
          await put('a', ['The lamp is green.']);
          expect(await bm25(text)).toEqual([]);
        },
      );

      test('searches stop words when nothing else is there', async () => {
        await put('a', ['To be or not to be', 'Green lamps']);
        expect(await bm25('to be or not to be')).toEqual(['a@v1#0']);
      });

      test('keeps identifiers whole, whatever their case', async () => {
        await put('codes', [
          'Fault E-0417/a stands for heat in the motor.',
          'Fault E-0417/b stands for a jam in the motor.',
          'Fault 0417 stands for no power in the motor.',
          'Fault 417 stands for a flat battery in the motor.',
          'Something else',
          'Another thing',
        ]);
        for (const [code, passage] of [
          ['E-0417/a', 'codes@v1#0'],
          ['e-0417/B', 'codes@v1#1'],
          ['0417', 'codes@v1#2'],
          ['417', 'codes@v1#3'],
        ] as const) {
          expect((await bm25(`What does fault ${code} of the motor stand for?`, { identifiers: [code] }))[0]).toBe(
            passage,
          );
        }
      });

      test('answers a question of 9,000 characters and finds the rare word in it', async () => {
        await put('log', [
          'The zirconium gasket leaks.',
          ...Array.from({ length: 30 }, (_, n) => `ordinary line ${n}`),
        ]);
        const noise = (from: number) => Array.from({ length: 400 }, (_, n) => `noise${from + n}`).join(' ');
        const text = `${noise(1000)} zirconium ${noise(5000)} ordinary line`.padEnd(9000, ' ordinary line');
        expect(await bm25(text)).toContain('log@v1#0');
        expect(await knn(text)).toHaveLength(20);
      });

      test('is empty for an empty corpus', async () => {
        expect(await index.search(everyone, query('anything'))).toEqual({ bm25: [], knn: [] });
        expect(await index.counts(everyone)).toEqual({ documents: 0, passages: 0 });
        expect(await index.listDocuments(everyone, { limit: 10 })).toEqual([]);
        expect(await index.document(everyone, 'nothing')).toBeNull();
        expect(await index.documentText(everyone, 'nothing')).toBeNull();
        expect(await index.passages(everyone, ['nothing'])).toEqual([]);
      });

      test('refuses a vector of another length', async () => {
        await put('a', ['lamp']);
        const failure = await caught(index.search(everyone, query('lamp', { vector: fakeVector('lamp').subarray(1) })));
        expect([failure.code, failure.retryable]).toEqual(['mapping', false]);
      });
    });

    describe('filters inside both legs', () => {
      test('leave a small tenant its own passages beside a big one', async () => {
        const big = `t-${randomUUID()}`;
        const source = {
          tenant: big,
          documentId: 'router',
          texts: range(2000, (n) => `How to reset the Kestrel router, copy ${n}`),
        };
        await ingest(index, source);
        await put('guide', [
          'Hold the button for ten seconds',
          'Unplug power then wait',
          'Lights blink twice afterwards',
        ]);
        const hits = await index.search(everyone, query('reset my Kestrel', { candidates: 10 }));
        expect(ids(hits.knn).sort()).toEqual(['guide@v1#0', 'guide@v1#1', 'guide@v1#2']);
        expect(hits.bm25).toEqual([]);
        expect(JSON.stringify(hits)).not.toContain('router');
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 3 });
        await index.deleteDocument(big, 'router');
      });

      test('leave an asker few passages beside many of a group that is not theirs', async () => {
        await put(
          'secret',
          range(300, (n) => `Kestrel router secret ${n}`),
          { metadata: { groups: ['board'] } },
        );
        await put('public', ['The Kestrel router is blue']);
        for (const asker of [everyone, access(tenant, 'staff')]) {
          expect(await bm25('Kestrel router', { candidates: 5 }, asker)).toEqual(['public@v1#0']);
          expect(await knn('Kestrel router secret', { candidates: 5 }, asker)).toEqual(['public@v1#0']);
        }
        expect(await knn('Kestrel router secret', { candidates: 5 }, access(tenant, 'staff', 'board'))).toHaveLength(5);
      });

      test('status, validity on the day, tags and documents', async () => {
        await put('active', ['boiler rule'], { metadata: { tags: ['heat', 'old'] } });
        await put('draft', ['boiler rule'], { metadata: { status: 'draft' } });
        await put('former', ['boiler rule'], { metadata: { status: 'superseded', tags: ['old'] } });
        await put('dated', ['boiler rule'], { metadata: { effectiveFrom: '2026-01-01', effectiveTo: '2026-12-31' } });
        const found = async (rest: Partial<SearchQuery>) => {
          const hits = await index.search(everyone, query('boiler', rest));
          expect(documents(hits.knn)).toEqual(documents(hits.bm25));
          return documents(hits.bm25);
        };
        expect(await found({})).toEqual(['active', 'dated']);
        expect(await found({ statuses: ['active', 'superseded', 'draft'] })).toEqual([
          'active',
          'dated',
          'draft',
          'former',
        ]);
        expect(await found({ statuses: ['draft'] })).toEqual(['draft']);
        for (const [day, effective] of [
          ['2025-12-31', false],
          ['2026-01-01', true],
          ['2026-12-31', true],
          ['2027-01-01', false],
        ] as const) {
          expect(await found({ asOf: day })).toEqual(effective ? ['active', 'dated'] : ['active']);
        }
        expect(await found({ tags: ['heat', 'none'], statuses: ['active', 'superseded'] })).toEqual(['active']);
        expect(await found({ tags: ['old'], statuses: ['active', 'superseded'] })).toEqual(['active', 'former']);
        expect(await found({ documentIds: ['dated', 'draft'] })).toEqual(['dated']);
        expect(await found({ documentIds: [] })).toEqual([]);
      });
    });

    describe('rights', () => {
      test('hide a document of another group or tenant from every read', async () => {
        const other = access(`t-${randomUUID()}`, 'board');
        await put('secret', ['The merger is in May'], { metadata: { groups: ['board', 'audit'] } });
        for (const asker of [everyone, access(tenant, 'staff'), other]) {
          expect(await index.search(asker, query('merger'))).toEqual({ bm25: [], knn: [] });
          expect(await index.passages(asker, ['secret@v1#0'])).toEqual([]);
          expect(await index.document(asker, 'secret')).toBeNull();
          expect(await index.documentText(asker, 'secret')).toBeNull();
          expect(await index.listDocuments(asker, { limit: 10 })).toEqual([]);
          expect(await index.counts(asker)).toEqual({ documents: 0, passages: 0 });
        }
        const member = access(tenant, 'audit');
        expect(await bm25('merger', {}, member)).toEqual(['secret@v1#0']);
        expect(await index.liveVersion(tenant, 'secret')).toBe('v1');
        expect(await index.liveVersion(other.tenant, 'secret')).toBeNull();
        expect(await index.documentText(member, 'secret')).toBe('The merger is in May');
        expect(await index.counts(member)).toEqual({ documents: 1, passages: 1 });
      });

      test('keep two tenants apart that use the same document and passage ids', async () => {
        const other = access(`t-${randomUUID()}`);
        await put('same', ['lamp of the first']);
        await ingest(index, { tenant: other.tenant, documentId: 'same', texts: ['lamp of the second'] });
        expect((await index.passages(everyone, ['same@v1#0'])).map(({ text }) => text)).toEqual(['lamp of the first']);
        expect((await index.passages(other, ['same@v1#0'])).map(({ text }) => text)).toEqual(['lamp of the second']);
        expect(await index.updateMetadata(other.tenant, 'same', metadata({ title: 'Changed' }))).toBe(true);
        expect((await index.document(everyone, 'same'))?.metadata.title).toBe('same');
        expect(await index.deleteDocument(other.tenant, 'same')).toBe(true);
        expect(await index.documentText(everyone, 'same')).toBe('lamp of the first');
        expect(await bm25('lamp')).toEqual(['same@v1#0']);
      });

      test('changed alone take effect at once', async () => {
        await put('a', ['boiler rule'], { metadata: { tags: ['old'] } });
        const changed = metadata({ title: 'Boilers', groups: ['board'], status: 'superseded', tags: ['new'] });
        expect(await index.updateMetadata(tenant, 'a', changed)).toBe(true);
        expect(await index.search(everyone, query('boiler', { statuses: ['superseded'] }))).toEqual({
          bm25: [],
          knn: [],
        });
        const member = access(tenant, 'board');
        expect(await bm25('boiler', {}, member)).toEqual([]);
        expect(await bm25('boiler', { statuses: ['superseded'], tags: ['new'] }, member)).toEqual(['a@v1#0']);
        expect(await knn('boiler', { statuses: ['superseded'], tags: ['old'] }, member)).toEqual([]);
        expect((await index.document(member, 'a'))?.metadata).toEqual(changed);
        expect((await index.passages(member, ['a@v1#0']))[0]?.title).toBe('Boilers');
        expect(await index.updateMetadata(tenant, 'a', metadata({ title: 'Open' }))).toBe(true);
        expect(await bm25('boiler')).toEqual(['a@v1#0']);
        expect(await index.updateMetadata(tenant, 'missing', changed)).toBe(false);
      });

      test('changed while a new version is being taken in are not undone by it', async () => {
        await put('a', ['boiler rule']);
        const next = { tenant, documentId: 'a', version: 'v2', texts: ['boiler rule, new'] };
        await index.stagePassages(await begin(index, next), passagesOf(next));
        await index.updateMetadata(tenant, 'a', metadata({ groups: ['board'] }));
        await index.publishVersion(keyOf(next));
        expect(await bm25('boiler')).toEqual([]);
        expect(await bm25('boiler', {}, access(tenant, 'board'))).toEqual(['a@v2#0']);
      });
    });

    describe('versions', () => {
      const first = range(8, (n) => (n === 6 ? 'Gold plan: 40 crowns' : `Pricing section ${n} of the plan`));
      const second = ['Pricing section of the plan', 'Gold plan: 55 crowns', 'Contact us about the plan'];
      const allOf = (version: string, count: number) => range(count, (n) => `pricing@${version}#${n}`);

      test('show only whole old or whole new, and at the end only the new', async () => {
        const next = { tenant, documentId: 'pricing', version: 'v2', texts: second };
        await put('pricing', first);
        const seen = async () => {
          const hits = await index.search(everyone, query('Gold plan crowns'));
          return [ids(hits.bm25).sort(), ids(hits.knn).sort()];
        };
        const old = [allOf('v1', 8), allOf('v1', 8)];
        const fresh = [allOf('v2', 3), allOf('v2', 3)];
        expect(await seen()).toEqual(old);
        const key = await begin(index, next);
        expect(await seen()).toEqual(old);
        expect(await index.liveVersion(tenant, 'pricing')).toBe('v1');
        await index.stagePassages(key, passagesOf(next).slice(0, 2));
        expect(await seen()).toEqual(old);
        // The worker died here; its successor begins again and asks what is missing.
        await begin(index, next);
        expect(await index.missingPassages(key, allOf('v2', 3))).toEqual(['pricing@v2#2']);
        await index.stagePassages(key, passagesOf(next).slice(2));
        expect(await index.passages(everyone, allOf('v2', 3))).toEqual([]);

        const [during] = await Promise.all([Promise.all(range(20, seen)), index.publishVersion(key)]);
        for (const answer of during) expect([old, fresh]).toContainEqual(answer);
        expect(await seen()).toEqual(fresh);
        expect(await index.passages(everyone, allOf('v1', 8))).toEqual([]);
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 3 });
        expect((await index.document(everyone, 'pricing'))?.passages).toBe(3);
        expect(await index.liveVersion(tenant, 'pricing')).toBe('v2');
        expect(await index.documentText(everyone, 'pricing')).toBe(second.join('\n'));
      });

      test('an old version can be taken in again', async () => {
        await put('pricing', first);
        await put('pricing', second, { version: 'v2' });
        await put('pricing', first);
        expect((await bm25('Gold plan')).sort()).toEqual(allOf('v1', 8));
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 8 });
      });

      test('every step may be repeated', async () => {
        const source = { tenant, documentId: 'pricing', texts: second };
        const key = await put('pricing', second);
        await index.publishVersion(key);
        await begin(index, source);
        expect(await index.missingPassages(key, allOf('v1', 3))).toEqual([]);
        await index.publishVersion(key);
        expect((await bm25('Gold plan')).sort()).toEqual(allOf('v1', 3));
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 3 });
      });

      test('a passage staged again replaces the former one', async () => {
        const source = { tenant, documentId: 'a', texts: ['wrong words'] };
        const right = passagesOf({ ...source, texts: ['right words'] });
        const key = await begin(index, source);
        await index.stagePassages(key, passagesOf(source));
        await index.stagePassages(key, right);
        await index.publishVersion(key);
        expect(await bm25('wrong')).toEqual([]);
        expect(await bm25('right')).toEqual(['a@v1#0']);
        expect((await index.search(everyone, query('right words'))).knn[0]?.score).toBeCloseTo(1, 2);
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 1 });
      });

      test('begun again take the newer metadata', async () => {
        const source = { tenant, documentId: 'a', texts: ['lamp'] };
        await begin(index, source);
        await begin(index, { ...source, metadata: { groups: ['board'] } });
        await index.stagePassages(keyOf(source), passagesOf(source));
        await index.publishVersion(keyOf(source));
        expect(await bm25('lamp')).toEqual([]);
        expect(await bm25('lamp', {}, access(tenant, 'board'))).toEqual(['a@v1#0']);
      });

      test('discarding removes an unpublished version and never a live one', async () => {
        const live = await put('a', ['lamp']);
        const next = { tenant, documentId: 'a', version: 'v2', texts: ['torch'] };
        const key = await begin(index, next);
        await index.stagePassages(key, passagesOf(next));
        await index.discardVersion(key);
        await index.discardVersion(key);
        await index.discardVersion(live);
        expect(await index.missingPassages(key, ['a@v2#0'])).toEqual(['a@v2#0']);
        expect(await bm25('lamp torch')).toEqual(['a@v1#0']);
        for (const work of [() => index.publishVersion(key), () => index.stagePassages(key, passagesOf(next))]) {
          expect((await caught(work())).code).toBe('rejected');
        }
      });
    });

    describe('deletion', () => {
      test('removes document, passages and vectors, also of a version that is being taken in; the second time it is not there', async () => {
        const next = { tenant, documentId: 'a', version: 'v2', texts: ['lamp, new'] };
        await put('a', ['lamp', 'torch']);
        await put('b', ['lamp stand']);
        const key = await begin(index, next);
        await index.stagePassages(key, passagesOf(next));
        expect(await index.deleteDocument(tenant, 'a')).toBe(true);
        const hits = await index.search(everyone, query('lamp'));
        expect([ids(hits.bm25), ids(hits.knn)]).toEqual([['b@v1#0'], ['b@v1#0']]);
        expect(await index.document(everyone, 'a')).toBeNull();
        expect(await index.liveVersion(tenant, 'a')).toBeNull();
        expect(await index.documentText(everyone, 'a')).toBeNull();
        expect(await index.passages(everyone, ['a@v1#0', 'a@v1#1', 'b@v1#0'])).toHaveLength(1);
        expect(await index.missingPassages(key, ['a@v2#0'])).toEqual(['a@v2#0']);
        expect(await index.counts(everyone)).toEqual({ documents: 1, passages: 1 });
        expect(await index.deleteDocument(tenant, 'a')).toBe(false);
        expect(await index.deleteDocument(tenant, 'never')).toBe(false);
        await put('a', ['lamp again']);
        expect((await bm25('lamp')).sort()).toEqual(['a@v1#0', 'b@v1#0']);
      });
    });

    describeComparing(() => ({ index, tenant }));

    describe('reading back', () => {
      test('passages come in the order asked for, to the letter, and without vectors unless asked', async () => {
        const texts = ['First: ﬀ 🙂 "quoted"', '第二の文。', 'Third\nline'];
        await put('a', texts, { metadata: { title: 'Letters', uri: 'file:letters.txt', authority: 70 } });
        const found = await index.passages(everyone, ['a@v1#2', 'gone', 'a@v1#0']);
        expect(found.map(({ text }) => text)).toEqual([texts[2], texts[0]]);
        const [, source] = [
          found[0],
          passagesOf({ tenant, documentId: 'a', texts, metadata: { title: 'Letters' } })[2],
        ];
        const { vector: _vector, stripVectors: _strips, ...passage } = source ?? fail();
        expect(found[0]).toEqual({
          ...passage,
          title: 'Letters',
          uri: 'file:letters.txt',
          metadata: metadata({ title: 'Letters', uri: 'file:letters.txt', authority: 70 }),
          vector: null,
          stripVectors: null,
        });
        expect(await index.documentText(everyone, 'a')).toBe(texts.join('\n'));
      });

      test('vectors come back as unit vectors, near to what was stored', async () => {
        const source = { tenant, documentId: 'a', texts: ['one two three four five six seven'] };
        const [passage] = passagesOf(source);
        const strips = ['one two three', 'four five', 'six seven'].map(fakeVector);
        const key = await begin(index, source);
        await index.stagePassages(key, [{ ...(passage ?? fail()), stripVectors: strips }]);
        await index.publishVersion(key);
        const [found] = await index.passages(everyone, ['a@v1#0'], { vectors: true });
        const pairs = [found?.vector, ...(found?.stripVectors ?? [])].map(
          (vector, n) => [vector, [passage?.vector, ...strips][n]] as const,
        );
        expect(pairs).toHaveLength(4);
        for (const [read, stored] of pairs) {
          expect(read).toBeInstanceOf(Float32Array);
          expect(read).toHaveLength(dimensions);
          expect(Math.hypot(...(read ?? fail()))).toBeCloseTo(1, 3);
          expect(dot(read ?? fail(), stored ?? fail())).toBeGreaterThan(0.999);
        }
      });

      test('a document tells all that was stored of it', async () => {
        await put('a', ['lamp', 'torch'], {
          metadata: { title: 'Lights', tags: ['light'], effectiveTo: '2027-01-01' },
          pagesWithoutText: [2, 3],
        });
        expect(await index.document(everyone, 'a')).toEqual({
          documentId: 'a',
          version: 'v1',
          format: 'text',
          metadata: metadata({ title: 'Lights', tags: ['light'], effectiveTo: '2027-01-01' }),
          contentHash: 'hash of v1',
          bytes: 10,
          pages: null,
          pagesWithoutText: [2, 3],
          passages: 2,
          warnings: [],
          ingestedAt: '2026-06-01T00:00:00.000Z',
        });
      });

      test('documents are listed by id, in pages, filtered by status, tag and part of title or id', async () => {
        await put('a-1', ['x'], { metadata: { title: 'Straße 100% Ärger', tags: ['road', 'x'] } });
        await put('b-2', ['x'], { metadata: { title: 'Second', status: 'draft', tags: ['road'] } });
        await put('c-3', ['x'], { metadata: { title: 'Third' } });
        await put('d-4', ['x'], { metadata: { title: 'Fourth', groups: ['board'] } });
        const listed = async (filter: object, asker = everyone) =>
          (await index.listDocuments(asker, { limit: 10, ...filter })).map(({ documentId }) => documentId);
        expect(await listed({})).toEqual(['a-1', 'b-2', 'c-3']);
        expect(await listed({}, access(tenant, 'board'))).toEqual(['a-1', 'b-2', 'c-3', 'd-4']);
        expect(await listed({ limit: 2 })).toEqual(['a-1', 'b-2']);
        expect(await listed({ limit: 2, after: 'b-2' })).toEqual(['c-3']);
        expect(await listed({ status: 'draft' })).toEqual(['b-2']);
        expect(await listed({ tag: 'road' })).toEqual(['a-1', 'b-2']);
        expect(await listed({ tag: 'road', status: 'active' })).toEqual(['a-1']);
        expect(await listed({ search: 'ÄRGER' })).toEqual(['a-1']);
        expect(await listed({ search: '100%' })).toEqual(['a-1']);
        expect(await listed({ search: 'B-' })).toEqual(['b-2']);
        expect(await listed({ search: '_' })).toEqual([]);
        expect(await listed({ search: '*' })).toEqual([]);
      });

      test('is healthy', async () => {
        const health = await index.health();
        expect(health.ok).toBe(true);
        expect(health.detail).not.toBe('');
      });
    });
  });
}

function ids(hits: Hit[]): string[] {
  return hits.map(({ passageId }) => passageId);
}

function documents(hits: Hit[]): string[] {
  return hits.map(({ documentId }) => documentId).sort();
}

function scores(hits: Hit[]): number[] {
  return hits.map(({ score }) => score);
}

function range<T>(length: number, make: (n: number) => T): T[] {
  return Array.from({ length }, (_, n) => make(n));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
}

async function caught(work: Promise<unknown>): Promise<IndexError> {
  const outcome = await work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  if (outcome instanceof IndexError) return outcome;
  throw new Error(`expected an IndexError, got ${String(outcome)}`);
}

function fail(): never {
  throw new Error('the fixture is incomplete');
}
