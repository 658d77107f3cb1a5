import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groundAnswer } from '../../../domain/review/answer-grounding.ts';

async function judged(text: string, sourceText: string) {
  const given = { text, sourceText, vouched: false, reviewer: 'ada' };
  const { grounding } = await groundAnswer(given, () => Promise.resolve());
  return { status: grounding.status, reasons: grounding.statements.map(({ reason }) => reason).join('; ') };
}

describe('an answer that its source does not give', () => {
  test.each([
    ['Two barn owls live in the cellar.', 'Two barn owls live in the tower since May.', '"cellar"'],
    ['Two chimneys are red.', 'Two towers are red.', '"chimneys"'],
    ['The universe is old.', 'The university is old.', '"universe"'],
    ['Elmer sued Rauch.', 'Rauch sued Elmer.', 'another order'],
    ['Rauch was sued by Elmer.', 'Elmer was sued by Rauch.', 'another order'],
    ['Elmer sued Rauch.', 'Elmer was sued by Rauch.', '"was" of the source is left out'],
    ['The father of the bride is ill.', 'The bride of the father is ill.', 'left out'],
    ['The owner was chased by the dog of Rauch.', 'The dog chased the owner of Rauch.', '"was"'],
    ['The fee is 12 %.', 'The fee is 12 % for dealers only.', '"for dealers only" of the source is left out'],
    ['The fee is 12 %.', 'The fee is 12 % unless you are a member.', 'unless'],
    ['The fee is 12 %.', 'From May on, the fee is 12 %.', '"From May on" of the source is left out'],
    ['The fee is 12 %.', 'If it is late, the fee is 12 %.', 'left out'],
    ['The fee is 12 %.', 'The fee was 12 %.', '"is"'],
    ['The fee is 12 %.', 'The fee is 12 %?', 'asks'],
    ['The fee is 12 %:', 'The fee is 12 % for dealers only.', '"for dealers only" of the source is left out'],
    ['Employees have 27 days.', 'Full-time employees have 27 days.', 'left out'],
    ['The merger won.', 'Opponents of the merger won.', 'left out'],
    ['Rauch sued Elmer and was acquitted.', 'Rauch sued Elmer. The mayor was acquitted.', 'acquitted'],
    ['Rauch sued Elmer.', 'The master sued Elmer. Rauch was his lawyer.', ''],
    ['Die Gebühr beträgt 12 %.', 'Die Gebühr beträgt 12 % für Händler.', '"für Händler" of the source is left out'],
  ])('is refused: %s ← %s', async (text, source, why) => {
    const { status, reasons } = await judged(text, source);
    expect(status).toBe('fail');
    expect(reasons).toContain(why);
  });
});

describe('an answer in its source’s words', () => {
  test.each([
    ['Two barn owls live in the tower.', 'Two barn owls live in the tower since May.'],
    ['Three owls live in towers.', '3 owls live in a tower.'],
    ['Elmer was sued by Rauch.', 'Rauch sued Elmer.'],
    ['Rauch sued Elmer.', 'Elmer was sued by Rauch.'],
    ["The keys can't be returned.", 'The keys cannot be returned.'],
  ])('passes: %s ← %s', async (text, source) => {
    expect((await judged(text, source)).status).toBe('pass');
  });
});

const word: fc.Arbitrary<string> = fc.constantFrom(
  ...['owl', 'baker', 'tower', 'boat', 'judge', 'harbour', 'lamp', 'garden', 'ferry', 'museum'],
);
const nouns = fc.uniqueArray(word, { minLength: 4, maxLength: 4 });
const sentence = ([a, b, c]: readonly string[]) => `The ${a} watches the ${b} near the ${c}.`;

test('a sentence passes as it is, and with no word put in the place of another, swapped or left out', async () => {
  await fc.assert(
    fc.asyncProperty(nouns, fc.nat(2), async (words, at) => {
      const source = sentence(words);
      const swapped = words.with(at, words[(at + 1) % 3] ?? '').with((at + 1) % 3, words[at] ?? '');
      expect((await judged(source, source)).status).toBe('pass');
      expect((await judged(sentence(words.with(at, words[3] ?? '')), source)).status).toBe('fail');
      expect((await judged(sentence(swapped), source)).status).toBe('fail');
      expect((await judged(source.replace(/ near .*/, '.'), source)).status).toBe('fail');
    }),
    { numRuns: 60 },
  );
});
