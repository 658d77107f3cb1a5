import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Grade } from '../../../domain/contracts/evidence.ts';
import { assessQuality, decideVerdict } from '../../../domain/rules/verdict.ts';
import { nextTier } from '../../../domain/rules/tiers.ts';

const rule = { rule: 'any-above', correct: 0.7, incorrect: 0.3 } as const;
const graded = (score: number | null, aspects: string[] = []): Grade => ({
  evidenceId: `p${score}`,
  score,
  label: score === null ? 'uncertain' : score >= 0.7 ? 'relevant' : score < 0.3 ? 'irrelevant' : 'partial',
  aspects,
  reason: '',
});
const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });

describe('decideVerdict', () => {
  test('no passage at all is INCORRECT', () => {
    expect(decideVerdict([], rule)).toBe('INCORRECT');
  });

  test('a passage that could not be graded is never taken as relevant nor as irrelevant', () => {
    expect(decideVerdict([graded(null)], rule)).toBe('AMBIGUOUS');
    expect(decideVerdict([graded(0.1), graded(null)], rule)).toBe('AMBIGUOUS');
  });

  test('one passage at the threshold makes CORRECT, whatever the others', () => {
    fc.assert(
      fc.property(fc.array(score), (scores) => {
        expect(decideVerdict([...scores.map((s) => graded(s)), graded(0.7)], rule)).toBe('CORRECT');
      }),
    );
  });

  test('more relevance never makes the verdict worse', () => {
    const order = ['INCORRECT', 'AMBIGUOUS', 'CORRECT'];
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (scores, gain) => {
          const before = decideVerdict(
            scores.map((s) => graded(s)),
            rule,
          );
          const after = decideVerdict(
            scores.map((s) => graded(Math.min(1, s + gain))),
            rule,
          );
          expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before));
        },
      ),
    );
  });
});

describe('assessQuality', () => {
  const aspects = [
    { id: 'a1', text: 'the fee', terms: ['fee'], subject: null },
    { id: 'a2', text: 'the deadline', terms: ['deadlin'], subject: null },
  ];

  test.each([
    ['sufficient', [graded(0.9, ['a1', 'a2'])], []],
    ['partial', [graded(0.9, ['a1'])], ['the deadline']],
    ['insufficient', [graded(0.5, ['a1'])], ['the fee', 'the deadline']],
  ] as const)('%s', (status, grades, missingAspects) => {
    expect(assessQuality(aspects, [...grades], [])).toMatchObject({ status, missingAspects });
  });

  test('conflicting when covered sources disagree', () => {
    const spans: [{ evidenceId: string; start: number }, { evidenceId: string; start: number }] = [
      { evidenceId: 'p1', start: 0 },
      { evidenceId: 'p2', start: 0 },
    ];
    const conflict = {
      spans,
      documentIds: ['d1', 'd2'] as [string, string],
      values: ['90 day', '180 day'] as [string, string],
      preferred: null,
    };
    expect(assessQuality(aspects, [graded(0.9, ['a1', 'a2'])], [conflict]).status).toBe('conflicting');
  });
});

describe('nextTier', () => {
  test('stops as soon as the evidence is sufficient', () => {
    expect(nextTier({ verdict: 'CORRECT', quality: 'sufficient', tried: [] }, ['rewrite'])).toBeNull();
  });

  test('goes through each tier once and then ends', () => {
    const tried: ('rewrite' | 'decompose' | 'web' | 'review')[] = [];
    for (
      let tier = nextTier({ verdict: 'INCORRECT', quality: 'insufficient', tried }, ['rewrite', 'decompose']);
      tier;
    ) {
      tried.push(tier);
      tier = nextTier({ verdict: 'INCORRECT', quality: 'insufficient', tried }, ['rewrite', 'decompose']);
    }
    expect(tried).toEqual(['rewrite', 'decompose']);
  });

  test('a right verdict with a missing aspect is still corrected', () => {
    expect(nextTier({ verdict: 'CORRECT', quality: 'partial', tried: [] }, ['rewrite'])).toBe('rewrite');
  });
});
