import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fuse, minMax, type RankFusion } from '../../../domain/rules/fusion.ts';

const weights = { bm25: 1, knn: 1 };
const options: RankFusion = { method: 'rrf', rankConstant: 60, weights };
const hits = (...ids: string[]) => ids.map((passageId, i) => ({ passageId, score: ids.length - i }));
const ranking = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 30 }).map((ids) => hits(...ids));

describe('fuse', () => {
  test('reciprocal rank fusion sums 1 / (60 + rank) over the legs', () => {
    const [first, second] = fuse({ bm25: hits('a', 'b'), knn: hits('b') }, options);
    expect(first).toEqual({ passageId: 'b', score: 1 / 62 + 1 / 61 });
    expect(second).toEqual({ passageId: 'a', score: 1 / 61 });
  });

  test('convex combination normalises each leg to 0–1 and weighs them', () => {
    const convex: RankFusion = { method: 'convex', weights: { bm25: 0.25, knn: 0.75 } };
    const fused = fuse(
      {
        bm25: [
          { passageId: 'a', score: 9 },
          { passageId: 'b', score: 1 },
        ],
        knn: [
          { passageId: 'b', score: 0.9 },
          { passageId: 'c', score: 0.1 },
        ],
      },
      convex,
    );
    expect(fused).toEqual([
      { passageId: 'b', score: 0.75 },
      { passageId: 'a', score: 0.25 },
      { passageId: 'c', score: 0 },
    ]);
  });

  test.each<RankFusion>([options, { method: 'convex', weights }])(
    '$method returns every passage of either leg exactly once, best first',
    (fusion) => {
      fc.assert(
        fc.property(ranking, ranking, (bm25, knn) => {
          const fused = fuse({ bm25, knn }, fusion);
          const ids = fused.map(({ passageId }) => passageId);
          expect(new Set(ids)).toEqual(new Set([...bm25, ...knn].map(({ passageId }) => passageId)));
          expect(new Set(ids).size).toBe(ids.length);
          const scores = fused.map(({ score }) => score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
        }),
      );
    },
  );

  test('a passage first in both legs comes first', () => {
    fc.assert(
      fc.property(ranking, ranking, (bm25, knn) => {
        const top = hits('zzzz');
        expect(fuse({ bm25: [...top, ...bm25], knn: [...top, ...knn] }, options)[0]?.passageId).toBe('zzzz');
      }),
    );
  });
});

test('min-max spreads values over 0–1 and takes equal ones for the best', () => {
  expect(minMax([0.8, 0.9, 0.7])).toEqual([expect.closeTo(0.5), 1, 0]);
  expect(minMax([0.4, 0.4])).toEqual([1, 1]);
  expect(minMax([])).toEqual([]);
});
