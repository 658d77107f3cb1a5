import { describe, expect, test } from '@jest/globals';
import { asksForOther, wordedQuestion } from '../../../domain/rules/substitutions.ts';
import { isSpellingVariant } from '../../../domain/text/spelling-variants.ts';
import { paraphrasePairs } from '../../support/paraphrases.ts';
import { substitutions } from '../../support/substitutions.ts';

const other = (a: string, b: string) => asksForOther(wordedQuestion(a), wordedQuestion(b));

describe('questions that ask for different things', () => {
  test.each(substitutions)('one frame, other words: %s / %s', (a, b) => {
    expect(other(a, b)).toBe(true);
    expect(other(b, a)).toBe(true);
  });

  test.each([
    ['What were the sales of 2025?', 'How much did we sell in 2026?'],
    ['When is the office open on Mondays?', 'Which hours is the office open on Fridays?'],
    ['What does the lock at Ulm cost?', 'How much is the lock at Bonn?'],
    ['Who signs off discounts above 16 %?', 'Whose approval does a discount over 20 % need?'],
  ])('other values in other frames: %s / %s', (a, b) => {
    expect(other(a, b)).toBe(true);
  });
});

describe('questions that may mean the same', () => {
  test('84 pairs of paraphrases', () => {
    expect(paraphrasePairs).toHaveLength(84);
    expect(paraphrasePairs.filter(([a, b]) => other(a, b))).toEqual([]);
  });

  test.each([
    ['What colour are the geese?', 'What color are the geese?'],
    ['Which geese guard the gate?', 'Which goose guards the gate?'],
    ['Which geese guard the gate?', 'The gate is guarded by which geese?'],
    ['Who organises the party?', 'Who organizes the party?'],
    ['Where is the accommodation?', 'Where is the accomodation?'],
    ['Who guards the gate?', 'Who guards the gate at night?'],
    ['How Much Does A Heron Weigh?', 'What Is The Weight Of A Heron?'],
    ['Why did it stop on 14 March 2026?', 'Why did it stop in March 2026?'],
    ['ギヤ油は何時間ごとに交換しますか?', 'ギヤ油の交換間隔は何時間ですか?'],
  ])('other spellings, word orders and additions: %s / %s', (a, b) => {
    expect(other(a, b)).toBe(false);
  });
});

test.each([
  ['gate', 'date'],
  ['contract', 'contact'],
  ['minimum', 'maximum'],
  ['employ', 'employe'],
  ['2025', '2026'],
])('%s and %s are two words', (a, b) => {
  expect(isSpellingVariant(a, b)).toBe(false);
});
