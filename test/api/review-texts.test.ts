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
} as ReviewView;

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
    { id: 'p2', gone: true, text: null, quotes: [{ text: null }] },
    { id: 'web.w', gone: false, text: 'The late fee is 9.' },
    { id: 'reviewer.r', gone: true, text: null },
  ]);
});

test('without a reader for them, texts of the web and of reviewers are not called gone', async () => {
  const index = { passages: () => Promise.resolve([passage('p1')]) };
  const shown = await withTexts(review, access, { index, kept: undefined });
  expect(shown.evidence.slice(2)).toMatchObject([
    { gone: false, text: null },
    { gone: false, text: null },
  ]);
});
