import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyseQuestion } from '../../../domain/rules/analyse.ts';
import { decomposeQuestion } from '../../../domain/rules/decompose.ts';
import { alreadyTried, rewriteQuery } from '../../../domain/rules/rewrite.ts';

const limits = { minWords: 6, maxWords: 14 };
const rewriteOf = (question: string, extra: { neighbours?: string[]; tried?: string[] } = {}) => {
  const analysis = analyseQuestion(question);
  return rewriteQuery(
    { question, analysis, missing: analysis.aspects, neighbours: extra.neighbours ?? [], tried: extra.tried ?? [] },
    limits,
  );
};

describe('rewriteQuery', () => {
  test('keeps codes to the letter: case, slash, hyphen, leading zero, and house terms in capitals', () => {
    const query = rewriteOf('What does E-0417/b mean for MS?');
    expect(query).toContain('E-0417/b');
    expect(query).toContain('MS');
  });

  test.each([
    ['Which valve is PN-0072-A and what is INV-1042-AB?', ['PN-0072-A', 'INV-1042-AB']],
    ['What changed on 14 March 2026 above 16 %?', ['14', '2026', '16 %']],
    ['Where does it say "handle with care" today?', ['handle with care']],
  ])('%s', (question, kept) => {
    for (const term of kept) expect(rewriteOf(question)).toContain(term);
  });

  test('any identifier survives', () => {
    const code = fc.stringMatching(/^[A-Z]{1,4}-[0-9]{2,5}(\/[a-z])?$/);
    fc.assert(
      fc.property(code, fc.lorem({ maxCount: 12 }), (identifier, words) => {
        expect(rewriteOf(`${words} ${identifier}?`)).toContain(identifier);
      }),
    );
  });

  test('is filled up to six words from the neighbourhood and never longer than fourteen', () => {
    const short = rewriteOf('Which torque?', { neighbours: ['Heron commissioning manual Crank arm bolts'] });
    expect(short?.split(' ').length).toBeGreaterThanOrEqual(6);
    const long = rewriteOf(
      `How do ${Array.from({ length: 40 }, (_, i) => `word${'abcdefghij'[i % 10]}${'klmn'[i % 4]}`).join(' ')} behave?`,
    );
    expect(long?.split(' ').length).toBeLessThanOrEqual(14);
  });

  describe('of a pasted log', () => {
    const lines = Array.from(
      { length: 90 },
      (_, n) =>
        `2026-11-30T04:${String(n % 60).padStart(2, '0')}:01.${100 + n}Z pump ${n} at ${n * 17}.5 bar, ${n * 31} rpm`,
    );
    const log = `${lines.join('\n')}\nUnit stopped with E-0417/b\nWhy does unit Q7-Lima stop at step 14?`;

    test('is led by its question, keeps codes, and is no row of numbers', () => {
      const query = rewriteOf(log) ?? '';
      expect(query).toBe('Q7-Lima 14 unit q7 lima stop step E-0417/b');
      expect(query.split(' ').length).toBeLessThanOrEqual(14);
    });

    test('is short, too, where no sentence of it ends in a question mark', () => {
      expect((rewriteOf(lines.join('\n')) ?? '').split(' ').length).toBeLessThanOrEqual(14);
    });

    test('puts into simpler questions what its question says', () => {
      const both = log.replace('step 14?', 'step 14 and how is it started?');
      const analysis = analyseQuestion(both);
      const simpler = decomposeQuestion({ question: both, analysis, missing: analysis.aspects, tried: [] }, 3);
      expect(simpler.map(({ query }) => query)).toEqual([
        'Why does unit Q7-Lima stop at step 14',
        expect.stringMatching(/^14 how is it started \(.*Q7-Lima.*\)$/),
      ]);
    });
  });

  test('never repeats a query that was tried, whatever the order of its words', () => {
    const query = rewriteOf('What is the warranty period of the Heron actuator?') ?? '';
    expect(query).not.toBe('');
    expect(
      rewriteOf('What is the warranty period of the Heron actuator?', {
        tried: [query.split(' ').reverse().join(' ')],
      }),
    ).toBeNull();
    expect(alreadyTried('the Heron warranty', ['Warranty heron'])).toBe(true);
  });
});

describe('decomposeQuestion', () => {
  const subQuestionsOf = (question: string, tried: string[] = []) => {
    const analysis = analyseQuestion(question);
    return decomposeQuestion({ question, analysis, missing: analysis.aspects, tried }, 3).map(({ query }) => query);
  };

  test('splits two things joined by "and", with what they share', () => {
    expect(subQuestionsOf('What are the fee and the deadline for late returns?')).toEqual([
      'What are the fee for late returns',
      'What are deadline for late returns',
    ]);
  });

  test('takes at most three turns and none twice', () => {
    const question = 'What is alpha and what is beta and what is gamma and what is delta?';
    const first = subQuestionsOf(question);
    expect(first.length).toBe(3);
    expect(subQuestionsOf(question, first)).not.toEqual(expect.arrayContaining(first));
  });

  test('carries identifiers into every sub-question', () => {
    for (const query of subQuestionsOf('What does E-0417/b mean and how is the shutter freed?'))
      expect(query).toContain('E-0417/b');
  });
});
