import { expect, test } from '@jest/globals';
import type { StoredPassage } from '../../adapters/index/port.ts';
import { withTexts } from '../../api/review-texts.ts';
import type { ReviewView } from '../../client/review-view.ts';

const access = { tenant: 'main', user: 'ann', groups: ['staff'] };
const passage = (id: string) => ({ id, start: 100, end: 118, text: 'The late fee is 9.' }) as StoredPassage;
const evidence = (id: string, origin: string, quotes: { start: number; end: number }[] = []) => ({
  id,
  origin,
  quotes,
  snippet: 'The late fee',
});
const review = {
  id: 'q',
  evidence: [
    evidence('p1', 'corpus', [
      { start: 104, end: 112 },
      { start: 90, end: 112 },
    ]),
    evidence('p2', 'corpus', [{ start: 104, end: 112 }]),
    evidence('web.w', 'web'),
    evidence('reviewer.r', 'reviewer'),
  ],
  conflicts: [],
  draft: null,
  limitation: null,
  message: null,
} as unknown as ReviewView;

test('passages and quotes come from where they are, as this reviewer may read them; what is left out there is gone', async () => {
  const asked: unknown[] = [];
  const kept = {
    get: (tenant: string, ids: string[]) => {
      asked.push([tenant, ids]);
      return Promise.resolve([passage('web.w')]);
    },
  };
  const index = {
    passages: (who: unknown, ids: string[]) => {
      asked.push([who, ids]);
      return Promise.resolve([passage('p1')]);
    },
  };
  const shown = await withTexts(review, access, { index, kept });
  expect(asked).toEqual([
    [access, ['p1', 'p2']],
    ['main', ['web.w', 'reviewer.r']],
  ]);
  expect(shown.evidence).toMatchObject([
    { id: 'p1', gone: false, text: 'The late fee is 9.', quotes: [{ text: 'late fee' }, { text: null }] },
    { id: 'p2', gone: true, text: null, snippet: '', quotes: [] },
    { id: 'web.w', gone: false, text: 'The late fee is 9.' },
    { id: 'reviewer.r', gone: true, text: null, snippet: '' },
  ]);
});

test('without a reader for them, texts of the web and of reviewers are not called gone', async () => {
  const index = { passages: () => Promise.resolve([passage('p1')]) };
  const shown = await withTexts(review, access, { index, kept: undefined });
  expect(shown.evidence.slice(2)).toMatchObject([
    { gone: false, text: null, snippet: '', quotes: [] },
    { gone: false, text: null, snippet: '', quotes: [] },
  ]);
});

test('of what rests on a source that is gone or closed to the reader, nothing is told', async () => {
  const cited = (n: number, evidenceId: string) => ({ n, evidenceId, origin: 'corpus', quote: `quote ${n}` });
  const drafted = {
    ...review,
    evidence: review.evidence.slice(0, 2),
    limitation: 'Fees says 9, Secret says 1200; nothing tells which one holds.',
    conflicts: [
      { spans: [{ evidenceId: 'p1' }, { evidenceId: 'p2' }], documentIds: ['fees', 'x'], values: ['9', '1200'] },
    ],
    draft: {
      answer: 'The fee is 9 [1]. The secret is 1200 [2].',
      statements: [
        { text: 'The fee is 9.', citations: [1] },
        { text: 'The secret is 1200.', citations: [1, 2] },
      ],
      citations: [cited(1, 'p1'), cited(2, 'p2')],
    },
  } as unknown as ReviewView;
  const index = { passages: () => Promise.resolve([passage('p1')]) };
  const shown = await withTexts(drafted, access, { index, kept: undefined });
  expect(JSON.stringify(shown)).not.toMatch(/1200|quote 2/);
  expect(shown).toMatchObject({
    limitation: expect.stringContaining('left out'),
    conflicts: [{ values: ['9', ''] }],
    draft: {
      answer: null,
      withheld: true,
      statements: [
        { text: 'The fee is 9.', withheld: false },
        { text: null, withheld: true },
      ],
      citations: [{ quote: 'quote 1' }, { quote: '' }],
    },
  });
});
