import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  coverage,
  kindMatch,
  passageScore,
  stemSet,
  stripScore,
  termWeights,
  type TextFeatures,
} from '../../../domain/rules/relevance.ts';

const features: TextFeatures = {
  document: 0.88,
  bestStrip: 0.92,
  coverage: 0.8,
  vectorsApply: true,
  identifiers: 'none_asked',
  borrowedSubject: false,
};
const aspect = (terms: string[]) => ({ id: 'a1', text: '', terms, subject: null });

describe('passageScore', () => {
  test('near text with the words of the question is relevant, far text is not', () => {
    expect(passageScore(features)).toBeGreaterThan(0.7);
    expect(passageScore({ ...features, document: 0.74, bestStrip: 0.76, coverage: 0.1 })).toBeLessThan(0.3);
  });

  test('text about another code is never relevant, however near', () => {
    const near = fc.double({ min: 0.7, max: 1, noNaN: true });
    fc.assert(
      fc.property(near, near, fc.double({ min: 0, max: 1, noNaN: true }), (document, bestStrip, share) => {
        expect(
          passageScore({ ...features, document, bestStrip, coverage: share, identifiers: 'missing' }),
        ).toBeLessThan(0.3);
      }),
    );
  });

  test('the name of a borrowed subject alone does not make a text relevant', () => {
    expect(passageScore({ ...features, coverage: 0, borrowedSubject: true })).toBeLessThan(0.3);
  });

  test('where vectors mean nothing, the words decide', () => {
    const words = { ...features, vectorsApply: false, document: 0, bestStrip: 0 };
    expect(passageScore({ ...words, coverage: 1 })).toBeGreaterThan(0.7);
    expect(passageScore({ ...words, coverage: 0.2 })).toBeLessThan(0.3);
  });

  test('more coverage never lowers a score', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(passageScore({ ...features, coverage: high })).toBeGreaterThanOrEqual(
          passageScore({ ...features, coverage: low }),
        );
        const strip = {
          cosine: 0.85,
          kind: 0 as const,
          vectorsApply: true,
          identifiers: 'none_asked' as const,
          borrowedSubject: false,
        };
        expect(stripScore({ ...strip, coverage: high })).toBeGreaterThanOrEqual(
          stripScore({ ...strip, coverage: low }),
        );
      }),
    );
  });
});

describe('coverage', () => {
  test('a word that no text holds weighs more than one that all hold', () => {
    const texts = ['the gate opens', 'the gate closes', 'a gate'].map(stemSet);
    const weights = termWeights(aspect(['gate', 'decibel']), texts);
    expect(coverage(weights, stemSet('the gate'))).toBeLessThan(0.5);
    expect(coverage(weights, stemSet('decibel of the gate'))).toBe(1);
  });

  test('lies between 0 and 1', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.lorem({ maxCount: 1 })), fc.lorem(), (terms, text) => {
        const share = coverage(termWeights(aspect(terms), [stemSet(text)]), stemSet(text));
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('kindMatch', () => {
  test.each([
    ['How long is the warranty?', 'Covered for 36 months.', 1],
    ['How long is the warranty?', 'Built in two sizes, the H40 and the H60.', -1],
    ['When is the office open?', 'From 8:30 on weekdays.', 1],
    ['What fee do we charge when goods come back?', 'A fee of 12 %.', 0],
    ['What is the price of the pump?', 'It costs EUR 40.', 1],
    ['What is the price of the pump?', 'The pump is blue.', -1],
    ['Why did the gate stop?', 'It stopped because a line had fouled the arm.', 3],
    ['Why did the gate stop?', 'The gate stopped at nine.', -3],
    ['Who approves discounts?', 'The finance director.', 0],
  ] as const)('%s / %s: %i', (question, text, expected) => {
    expect(kindMatch(question, text)).toBe(expected);
  });
});
