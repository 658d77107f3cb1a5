import { describe, expect, test } from '@jest/globals';
import { countPseudoNegations, negations, withoutNegatingPrefix } from '../../../domain/text/negation.ts';

const targets = (sentence: string): string[] => negations(sentence).map(({ target }) => target);

describe('negations', () => {
  test.each([
    ['The fee is not refundable.', ['refund']],
    ['The fee is non-refundable.', ['refund']],
    ['No refund is given.', ['refund']],
    ['It never opens without a key.', ['open', 'kei']],
    ["It can't be opened, and it doesn’t close.", ['open', 'close']],
    ['Neither tents nor stoves are insured.', ['tent', 'stove']],
    ['Smoking is prohibited.', ['allow']],
    ['The deposit is refundable, but the fee is not.', ['fee']],
    ['It is not only valid on buses.', []],
    ['No doubt it works. See no. 5 and No. 7, whether or not it rains.', []],
    ['Der Tarif gilt.', []],
  ])('%s', (sentence, expected) => {
    expect(targets(sentence)).toEqual(expected);
  });
  test('a masked span is left out', () => {
    expect(negations('It must not exceed 12 %.', [{ start: 8, end: 23 }])).toEqual([]);
  });
  test('the span is that of the negating words', () => {
    const sentence = 'The fee is not refundable.';
    expect(negations(sentence).map(({ start, end }) => sentence.slice(start, end))).toEqual(['not']);
  });
  test('negating prefixes', () => {
    expect(withoutNegatingPrefix('unavailable')).toBe('avail');
    expect(withoutNegatingPrefix('invalid')).toBe('valid');
    expect(withoutNegatingPrefix('table')).toBeNull();
    expect(withoutNegatingPrefix('unit')).toBeNull();
  });
  test('"not only" and the like are counted apart', () => {
    expect(countPseudoNegations('It is not only cheap but not just fast.')).toBe(2);
  });
});
