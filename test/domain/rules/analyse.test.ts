import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyseQuestion, cutAtWord } from '../../../domain/rules/analyse.ts';

describe('analyseQuestion', () => {
  test.each(['?', '???', '…', '🙂🙂🙂', 'what?', 'is it?', 'Tell me.', 'なに?'])(
    '%s asks for nothing that could be searched',
    (text) => {
      expect(analyseQuestion(text).kind).toBe('unclear');
    },
  );

  test.each([
    'thanks!',
    'Thank you so much',
    'hello there',
    'OK.',
    'good morning, how are you?',
    'ok great thank you so much',
    'Perfect – thanks a lot! 👍',
    "that's great, have a nice day",
    'Danke schön, tschüss!',
    'ありがとうございます。',
    'no, wrong floor',
    'No. Not that one.',
    "that's not what I asked",
    'sorry, I meant the third floor',
  ])('%s is small talk', (text) => {
    expect(analyseQuestion(text).kind).toBe('smalltalk');
  });

  test.each([
    'Hello, what is the fee?',
    'Thanks. And the deadline for returns?',
    'ok, how are you insured against flood?',
    'Good morning, late fee of the library',
    'no claims bonus',
    'No, wrong floor. Which one has the archive?',
    'No, not E-0417/a but E-0417/b',
    'no smoking areas in the harbour',
    'It is not possible to open the shutter',
    'Wrong delivery address',
    'Is that all right?',
    'great auk',
  ])('%s asks for something', (text) => {
    expect(analyseQuestion(text).kind).toBe('question');
  });

  test.each([
    ['How much does it weigh, and how many decibels does it produce?', 2],
    ['What is the fee? When is it due?', 2],
    ['Who may approve a discount above 16 %?', 1],
    ['ギヤ油は何時間ごとに交換しますか?', 1],
  ])('%s has %i aspect(s)', (question, count) => {
    expect(analyseQuestion(question).aspects).toHaveLength(count);
  });

  test('a second part that leans on "it" takes the first part along', () => {
    const [, second] = analyseQuestion(
      'How much does a Heron H60 weigh, and how many decibels does it produce?',
    ).aspects;
    expect(second?.text).toContain('Heron H60');
    expect(second).toMatchObject({ terms: ['decibel', 'produc'], subject: 'Heron H60 H60' });
  });

  test('search operators and quotes are text, and the code among them is found', () => {
    const analysis = analyseQuestion('"NOT" AND (E-0417/b*) OR NEAR("brake", 3)');
    expect(analysis.identifiers).toEqual(['E-0417/b']);
    expect(analysis.kind).toBe('question');
  });

  test('a pasted log of 7,900 characters is reduced to its question, with the identifier kept', () => {
    const log = `${'12:00:01 INFO valve position reported normal by controller. '.repeat(130)}\nWhy does unit Q7-Lima stop at step 14?`;
    const { searchText, identifiers } = analyseQuestion(log);
    expect(searchText.length).toBeLessThanOrEqual(700);
    expect(searchText).toContain('Why does unit Q7-Lima stop at step 14?');
    expect(identifiers).toContain('Q7-Lima');
  });

  test('every question has at least one aspect and a search text, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 }), (text) => {
        const { aspects, searchText } = analyseQuestion(text);
        expect(aspects.length).toBeGreaterThanOrEqual(1);
        expect(typeof searchText).toBe('string');
      }),
    );
  });
});

describe('cutAtWord', () => {
  test('never cuts inside a character and never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const cut = cutAtWord(text, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });
});
