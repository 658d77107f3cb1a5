import { describe, expect, test, beforeAll, afterAll } from '@jest/globals';
import type { EvidencePage, EvidencePassage, EvidenceStore } from '../../../adapters/store/port.ts';

const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

export function pageOf(id: string, own: Partial<EvidencePage> = {}): EvidencePage {
  return {
    tenant: 'a',
    id,
    url: `https://example.com/${id}`,
    title: `Title of ${id}`,
    text: `Text of ${id}. The fee is 12 %. 費用は12です。`,
    language: 'en',
    publishedAt: null,
    fetchedAt: inDays(0),
    expiresAt: inDays(1),
    authority: 30,
    ...own,
  };
}

export function passageOf({ id, text, title }: EvidencePage, n: number, vectors = true): EvidencePassage {
  return {
    id: `${id}-p${n}`,
    documentId: id,
    version: id,
    ordinal: n,
    start: 0,
    end: text.length,
    text,
    context: title,
    section: '',
    page: null,
    strips: [
      { start: 0, end: 8, kind: 'sentence', header: null },
      { start: 9, end: 20, kind: 'row', header: { start: 0, end: 3, text: 'Fee' } },
    ],
    vector: vectors ? Float32Array.of(0.6, -0.8, n) : null,
    stripVectors: vectors ? [Float32Array.of(1, 0, n), Float32Array.of(0, 1, -n)] : null,
  };
}

/** What every evidence store does. `open` gives an empty one. */
export function describeEvidenceContract(name: string, open: () => Promise<EvidenceStore>): void {
  describe(`evidence (${name})`, () => {
    let store: EvidenceStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    test('is there as it was put, at once, in the order asked for', async () => {
      const page = pageOf('one');
      const passages = [passageOf(page, 0), passageOf(page, 1)];
      await store.put(page, passages);
      expect(await store.page('a', 'one')).toEqual(page);
      const found = await store.get('a', ['one-p1', 'nothing', 'one-p0']);
      expect(found).toEqual(
        [passages[1], passages[0]].map((passage) => ({
          ...passage,
          title: page.title,
          uri: page.url,
          metadata: {
            title: page.title,
            uri: page.url,
            language: 'en',
            status: 'active',
            authority: 30,
            effectiveFrom: null,
            effectiveTo: null,
            supersedes: null,
            groups: [],
            tags: [],
          },
        })),
      );
    });

    test('may lack vectors and passages', async () => {
      const page = pageOf('bare', { language: null, publishedAt: inDays(-3) });
      await store.put(page, [passageOf(page, 0, false)]);
      expect((await store.get('a', ['bare-p0']))[0]).toMatchObject({ vector: null, stripVectors: null });
      await store.put(pageOf('empty'), []);
      expect(await store.page('a', 'empty')).not.toBeNull();
      expect(await store.get('a', [])).toEqual([]);
    });

    test('is nobody else’s', async () => {
      const [mine, theirs] = [pageOf('shared'), pageOf('shared', { tenant: 'b', text: 'Other text.' })];
      await store.put(mine, [passageOf(mine, 0)]);
      expect(await store.get('b', ['shared-p0'])).toEqual([]);
      expect(await store.page('b', 'shared')).toBeNull();
      expect(await store.delete('b', 'shared')).toBe(false);
      await store.put(theirs, [passageOf(theirs, 0)]);
      expect((await store.get('a', ['shared-p0']))[0]?.text).toBe(mine.text);
      expect((await store.get('b', ['shared-p0']))[0]?.text).toBe('Other text.');
    });

    test('put again is another reading of the same: its passages come beside those that are there, and it lives as long as the longer of both', async () => {
      const page = pageOf('again', { expiresAt: inDays(9) });
      await store.put(page, [passageOf(page, 0), passageOf(page, 1)]);
      const later = pageOf('again', { title: 'New title', fetchedAt: inDays(0.5), expiresAt: inDays(2) });
      await store.put(later, [passageOf(later, 0)]);
      expect(await store.page('a', 'again')).toEqual({ ...later, expiresAt: page.expiresAt });
      const found = await store.get('a', ['again-p0', 'again-p1']);
      expect(found.map(({ id }) => id)).toEqual(['again-p0', 'again-p1']);
      expect(found[0]?.title).toBe('New title');
      await store.put(pageOf('again', { text: page.text, expiresAt: inDays(1) }), []);
      expect(await store.get('a', ['again-p0', 'again-p1'])).toHaveLength(2);
    });

    test('put by many at once is whole', async () => {
      const pages = Array.from({ length: 4 }, (_, n) => pageOf('busy', { expiresAt: inDays(n + 1) }));
      await Promise.all(pages.map((page) => store.put(page, [passageOf(page, 0), passageOf(page, 1)])));
      expect(await store.get('a', ['busy-p0', 'busy-p1'])).toHaveLength(2);
      expect((await store.page('a', 'busy'))?.expiresAt).toBe(pages[3]?.expiresAt);
    });

    test('deleted is gone with its passages', async () => {
      const page = pageOf('gone');
      await store.put(page, [passageOf(page, 0)]);
      expect(await store.delete('a', 'gone')).toBe(true);
      expect(await store.get('a', ['gone-p0'])).toEqual([]);
      expect(await store.page('a', 'gone')).toBeNull();
      expect(await store.delete('a', 'gone')).toBe(false);
    });

    test('expires, is then swept, and what has not expired stays', async () => {
      const page = pageOf('brief', { expiresAt: new Date(Date.now() + 2_500).toISOString() });
      const lasting = pageOf('lasting');
      await store.put(page, [passageOf(page, 0)]);
      await store.put(lasting, [passageOf(lasting, 0)]);
      expect(await store.get('a', ['brief-p0'])).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, Date.parse(page.expiresAt) - Date.now() + 20));
      expect(await store.get('a', ['brief-p0', 'lasting-p0'])).toHaveLength(1);
      expect(await store.page('a', 'brief')).toBeNull();
      expect(await store.sweep()).toBe(1);
      expect(await store.sweep()).toBe(0);
      expect(await store.delete('a', 'brief')).toBe(false);
      expect(await store.get('a', ['lasting-p0'])).toHaveLength(1);
    });

    test('of a large page is kept whole', async () => {
      const page = pageOf('large', { text: 'The fee is 12 %. '.repeat(20_000) });
      const passages = Array.from({ length: 300 }, (_, n) => ({
        ...passageOf(page, n),
        text: page.text.slice(0, 20_000),
      }));
      await store.put(page, passages);
      expect(
        await store.get(
          'a',
          passages.map(({ id }) => id),
        ),
      ).toHaveLength(300);
      expect((await store.page('a', 'large'))?.text).toHaveLength(page.text.length);
    });
  });

  test(`a closed store says so (${name})`, async () => {
    const store = await open();
    await store.close();
    for (const call of [() => store.get('a', ['x']), () => store.put(pageOf('x'), []), () => store.sweep()]) {
      await expect(call()).rejects.toMatchObject({ name: 'EvidenceError', code: 'unavailable', retryable: false });
    }
  });
}
