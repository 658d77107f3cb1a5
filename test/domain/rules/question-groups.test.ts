import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupQuestions, type GroupedQuestion } from '../../../domain/rules/question-groups.ts';
import { cosine } from '../../../domain/rules/relevance.ts';

/** A direction in the plane: the cosine of two is that of the degrees between them. */
function question(text: string, degrees: number, weight = 1): GroupedQuestion {
  const angle = (degrees * Math.PI) / 180;
  return { text, vector: Float32Array.of(Math.cos(angle), Math.sin(angle)), weight };
}

const codes = fc.constantFrom('', ' of E-0417/b', ' of E-0471/b');
const anyQuestion = fc
  .record({
    n: fc.nat(40),
    code: codes,
    degrees: fc.integer({ min: 0, max: 90 }),
    weight: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ n, code, degrees, weight }) => question(`What is thing ${n}${code}?`, degrees, weight));
const anyQuestions = fc.uniqueArray(anyQuestion, { selector: ({ text }) => text, maxLength: 30 });

function grouped(questions: readonly GroupedQuestion[]): number[][] {
  const work = groupQuestions(questions);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const textsOf = (questions: readonly GroupedQuestion[]) =>
  grouped(questions).map((group) => group.map((n) => questions[n]?.text));

describe('questions grouped by meaning', () => {
  test('each is in exactly one group', () => {
    fc.assert(
      fc.property(anyQuestions, (questions) => {
        const all = grouped(questions).flat();
        expect(all.toSorted((a, b) => a - b)).toEqual(questions.map((_, n) => n));
      }),
    );
  });

  test('their order does not matter', () => {
    const shuffled = anyQuestions.chain((questions) =>
      fc.tuple(fc.constant(questions), fc.shuffledSubarray(questions, { minLength: questions.length })),
    );
    fc.assert(
      fc.property(shuffled, ([questions, others]) => {
        expect(textsOf(others)).toEqual(textsOf(questions));
      }),
    );
  });

  test('every member is like the first, however long the chain', () => {
    fc.assert(
      fc.property(anyQuestions, (questions) => {
        for (const [centre, ...members] of grouped(questions))
          for (const member of members) {
            const [one, other] = [questions[centre ?? -1], questions[member]];
            expect(one && other && cosine(one.vector, other.vector)).toBeGreaterThanOrEqual(0.9);
          }
      }),
    );
  });

  test('no two members ask for different things, though both are like the first', () => {
    const questions = [
      question('Who guards the gate by night?', 0, 3),
      question('Which geese guard the gate?', 5),
      question('Which swans guard the gate?', 5),
    ];
    expect(textsOf(questions)).toEqual([
      ['Who guards the gate by night?', 'Which geese guard the gate?'],
      ['Which swans guard the gate?'],
    ]);
  });

  test('the one that most askers mean comes first', () => {
    const questions = [question('How dear is it?', 0), question('What is the fee?', 10, 3), question('Which fee?', 20)];
    expect(textsOf(questions)).toEqual([['What is the fee?', 'How dear is it?', 'Which fee?']]);
  });

  test('codes are told apart, however alike the rest', () => {
    const questions = [
      question('What does E-0417/b mean?', 0),
      question('What does E-0471/b mean?', 0),
      question('Meaning of e-0417/B?', 0),
    ];
    expect(textsOf(questions)).toEqual([
      ['Meaning of e-0417/B?', 'What does E-0417/b mean?'],
      ['What does E-0471/b mean?'],
    ]);
  });

  test('where the vectors do not know the language, words decide', () => {
    const questions = [
      question('ギヤ油は何時間ごとに交換しますか?', 0),
      question('ギヤ油の交換間隔は何時間ですか?', 0),
      question('有給休暇は何日ありますか?', 0),
    ];
    expect(grouped(questions).map((group) => group.toSorted())).toEqual([[0, 1], [2]]);
  });
});
