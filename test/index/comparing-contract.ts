import { describe, expect, test } from '@jest/globals';
import type { IndexPort } from '../../adapters/index/port.ts';
import { cosine } from '../../domain/rules/relevance.ts';
import { access, begin, fakeVector, ingest, passagesOf } from './fixtures.ts';

const question = fakeVector('harbour tide');

/** A part of the index contract. `house` gives the index and a tenant of the test's own. */
export function describeComparing(house: () => { index: IndexPort; tenant: string }): void {
  const compare = async (wanted: string[], asker = access(house().tenant)) =>
    new Map((await house().index.compare(asker, wanted, question)).map((passage) => [passage.passageId, passage]));

  describe('comparing passages with a question', () => {
    test('gives the vector of each passage and the cosine of its nearest strip', async () => {
      const { index, tenant } = house();
      const texts = ['The harbour closes at low tide. Soup is served.', 'Free parking'];
      const source = { tenant, documentId: 'tides', texts };
      const key = await begin(index, source);
      const [first, second] = passagesOf(source);
      if (!first || !second) throw new Error('two texts, two passages');
      const strips = [fakeVector('Soup is served.'), fakeVector('The harbour closes at low tide.')];
      const strip = { start: 0, end: 4, kind: 'sentence', header: null } as const;
      await index.stagePassages(key, [
        { ...first, strips: [strip, strip], stripVectors: strips },
        { ...second, strips: [], stripVectors: [] },
      ]);
      await index.publishVersion(key);
      const compared = await compare(['tides@v1#1', 'tides@v1#0', 'tides@v1#1']);
      expect([...compared.keys()].sort()).toEqual(['tides@v1#0', 'tides@v1#1']);
      expect(compared.get('tides@v1#0')?.vector).toEqual(first.vector);
      const nearest = Math.max(...strips.map((vector) => cosine(question, vector)));
      expect(compared.get('tides@v1#0')?.bestStrip).toBeCloseTo(nearest, 2);
      expect(compared.get('tides@v1#1')?.bestStrip).toBeCloseTo(cosine(question, second.vector), 5);
    });

    test('leaves out what is gone, what is not published and what the asker may not read', async () => {
      const { index, tenant } = house();
      await ingest(index, { tenant, documentId: 'open', texts: ['The harbour is open.'] });
      const board = { groups: ['board'] };
      await ingest(index, { tenant, documentId: 'closed', texts: ['The harbour is closed.'], metadata: board });
      const staged = { tenant, documentId: 'open', texts: ['The harbour opens at noon.'], version: 'v2' };
      await index.stagePassages(await begin(index, staged), passagesOf(staged));
      const wanted = ['open@v1#0', 'closed@v1#0', 'open@v2#0', 'nothing@v1#0'];
      expect([...(await compare(wanted)).keys()]).toEqual(['open@v1#0']);
      expect((await compare(wanted, access(tenant, 'board'))).size).toBe(2);
      expect((await compare(wanted, access(`other-${tenant}`))).size).toBe(0);
      expect((await compare([])).size).toBe(0);
    });

    test('refuses a question of another length', async () => {
      const { index, tenant } = house();
      const short = new Float32Array(3);
      await expect(index.compare(access(tenant), [], short)).rejects.toMatchObject({ code: 'mapping' });
    });
  });
}
