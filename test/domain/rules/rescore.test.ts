import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rescore, type Candidate, type RescoreOptions } from '../../../domain/rules/rescore.ts';

const options: RescoreOptions = {
  method: 'rescore',
  weights: { bm25: 1, knn: 1, strip: 1, feedback: 0 },
  feedbackPassages: 1,
};
const only = (name: 'bm25' | 'knn' | 'strip'): RescoreOptions => ({
  ...options,
  weights: { bm25: 0, knn: 0, strip: 0, feedback: 0, [name]: 1 },
});
/** In the plane, at an angle in degrees from the question. */
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
const question = at(0);
const candidate = (passageId: string, degrees: number, bestStrip = 0.5): Candidate => ({
  passageId,
  vector: at(degrees),
  bestStrip,
});
const ids = (ranked: { passageId: string }[]) => ranked.map(({ passageId }) => passageId);

describe('rescore', () => {
  test('takes a BM25 score as a share of the best, the exact cosine for every candidate, and the best strip', () => {
    const bm25 = [
      { passageId: 'a', score: 8 },
      { passageId: 'b', score: 4 },
    ];
    const candidates = [candidate('a', 90, 0.7), candidate('b', 0, 0.8), candidate('c', 60, 0.9)];
    const score = (name: 'bm25' | 'knn' | 'strip') =>
      Object.fromEntries(
        rescore({ bm25, knn: [] }, { question, candidates }, only(name)).map((hit) => [hit.passageId, hit.score]),
      );
    expect(score('bm25')).toEqual({ a: 1, b: 0.5, c: 0 });
    expect(score('knn')).toEqual({ a: 0, b: 1, c: expect.closeTo(0.5) });
    expect(score('strip')).toEqual({ a: 0, b: expect.closeTo(0.5), c: 1 });
    const [best] = rescore({ bm25, knn: [] }, { question, candidates }, options);
    expect(best).toEqual({ passageId: 'b', score: expect.closeTo((0.5 + 1 + 0.5) / 3) });
  });

  test('prefers what resembles the best hits to what is as near to the question but stands alone', () => {
    const candidates = [candidate('best', -10), candidate('alike', -40), candidate('alone', 40)];
    const withFeedback = { ...options, weights: { ...options.weights, feedback: 1 } };
    const bm25 = [{ passageId: 'best', score: 1 }];
    expect(ids(rescore({ bm25, knn: [] }, { question, candidates }, options))).toEqual(['best', 'alike', 'alone']);
    const scores = new Map(
      rescore({ bm25, knn: [] }, { question, candidates }, withFeedback).map((hit) => [hit.passageId, hit.score]),
    );
    expect(scores.get('alike')).toBeGreaterThan((scores.get('alone') ?? 1) + 0.1);
  });

  test('without words in common, vectors alone rank', () => {
    const candidates = [candidate('far', 50, 0.1), candidate('near', 10, 0.9)];
    expect(ids(rescore({ bm25: [], knn: [] }, { question, candidates }, options))).toEqual(['near', 'far']);
    expect(rescore({ bm25: [], knn: [] }, { question, candidates: [] }, options)).toEqual([]);
  });

  const pool = fc.uniqueArray(
    fc.record({ id: fc.stringMatching(/^[a-z]{1,3}$/), degrees: fc.integer({ min: 0, max: 90 }), bm25: fc.nat(20) }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 30 },
  );
  const legsOf = (hits: { id: string; bm25: number }[]) => ({
    bm25: hits.filter(({ bm25 }) => bm25 > 0).map(({ id, bm25 }) => ({ passageId: id, score: bm25 })),
    knn: [],
  });
  const whole: RescoreOptions = {
    method: 'rescore',
    weights: { bm25: 1, knn: 1, strip: 0.75, feedback: 0.75 },
    feedbackPassages: 2,
  };

  test('ranks every candidate once, best first, scores from 0 to 1, whatever their order', () => {
    fc.assert(
      fc.property(pool, (hits) => {
        const candidates = hits.map(({ id, degrees }) => candidate(id, degrees, degrees / 90));
        const ranked = rescore(legsOf(hits), { question, candidates }, whole);
        expect(ids(ranked).sort()).toEqual(hits.map(({ id }) => id).sort());
        const scores = ranked.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score >= 0 && score <= 1 + 1e-9)).toBe(true);
        const turned = { question, candidates: candidates.toReversed() };
        expect(rescore(legsOf(hits), turned, whole)).toEqual(ranked);
      }),
    );
  });

  test('a candidate best in every respect comes first', () => {
    fc.assert(
      fc.property(pool, (hits) => {
        const candidates = [candidate('zzzz', 0, 1), ...hits.map(({ id, degrees }) => candidate(id, degrees + 1, 0.9))];
        const legs = legsOf([{ id: 'zzzz', bm25: 21 }, ...hits]);
        expect(rescore(legs, { question, candidates }, { ...whole, feedbackPassages: 1 })[0]?.passageId).toBe('zzzz');
      }),
    );
  });
});
