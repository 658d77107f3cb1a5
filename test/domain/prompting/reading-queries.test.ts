import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergedAnalysis } from '../../../domain/prompting/analysis-answer.ts';
import { queriesOf } from '../../../domain/prompting/query-answer.ts';
import { usableSubQuestions } from '../../../domain/prompting/sub-question-answer.ts';
import { analyseQuestion } from '../../../domain/rules/analyse.ts';
import { alreadyTried, protectedTerms, rewriteQuery } from '../../../domain/rules/rewrite.ts';
import { holdsExactly } from '../../../domain/text/identifiers.ts';

const limits = { minWords: 6, maxWords: 14 };
const titles = ['Rail X4 motor shutter manual'];
const inputOf = (question: string, extra: { tried?: string[]; neighbours?: string[] } = {}) => {
  const analysis = analyseQuestion(question);
  return { question, analysis, missing: analysis.aspects, neighbours: titles, tried: [question], ...extra };
};
const fault = 'What does E-0417/b mean for MS?';

describe("a model's query", () => {
  test('is searched alone when it keeps every protected term', () => {
    const query = 'E-0417/b fault MS motor shutter jammed meaning';
    expect(queriesOf(query, inputOf(fault), limits)).toEqual([query]);
  });

  test('that explains a code away has the question beside it, or, where that was searched, the query of the rules', () => {
    const lossy = 'milliseconds error meaning in the manual today';
    expect(queriesOf(lossy, inputOf(fault, { tried: [] }), limits)).toEqual([lossy, fault]);
    const [first, beside = ''] = queriesOf(lossy, inputOf(fault), limits);
    expect(first).toBe(lossy);
    expect(beside).toBe(rewriteQuery(inputOf(fault), limits));
    for (const term of ['E-0417/b', 'MS']) expect(holdsExactly(beside, term)).toBe(true);
  });

  test.each([
    ['case', 'e-0417/b MS motor shutter fault code meaning'],
    ['a slash', 'E-0417b MS motor shutter fault code meaning'],
    ['a leading zero', 'E-417/b MS motor shutter fault code meaning'],
    ['the end of a word', 'E-0417/bc MSX motor shutter fault code meaning'],
  ])('a term that lost %s is lost', (_, query) => {
    expect(queriesOf(query, inputOf(fault), limits)).toHaveLength(2);
  });

  test('a short one is filled up from the titles nearby', () => {
    expect(queriesOf('E-0417/b MS', inputOf(fault), limits)).toEqual(['E-0417/b MS rail x4 motor shutter']);
  });

  test('a code counts as one word, and a script without spaces by its segments', () => {
    const codes = 'E-0417/b MS ' + Array.from({ length: 12 }, (_, i) => `A-${i}/b`).join(' ');
    expect(queriesOf(codes, inputOf(fault), limits)).toEqual([codes]);
    const japanese = '設備点検の毎月の実施日と担当者の一覧';
    expect(queriesOf(japanese, inputOf('設備点検はいつですか'), limits)).toEqual([japanese]);
  });

  test.each([
    ['too long', Array.from({ length: 15 }, (_, i) => `word${i}`).join(' ')],
    ['an address', 'E-0417/b MS see https://images.example.invalid/?q=secret now please'],
    ['markup', 'E-0417/b MS ![x](y) motor shutter fault code'],
    ['empty', ' '],
    ['tried already', 'shutter rail MS E-0417/b motor manual'],
  ])('%s: the query of the rules is searched', (_, query) => {
    const input = inputOf(fault, { tried: [fault, 'E-0417/b MS motor shutter rail manual'] });
    expect(queriesOf(query, input, limits)).toEqual([rewriteQuery(input, limits)]);
    expect(rewriteQuery(input, limits)).toContain('E-0417/b MS');
    const nothingNew = inputOf(fault, { tried: [...input.tried, rewriteQuery(input, limits) ?? ''] });
    expect(queriesOf(query, nothingNew, limits)).toEqual([]);
  });

  test('whatever a model writes, codes are in a search that was made, and nothing is searched twice', () => {
    const code = fc.stringMatching(/^[A-Z]{1,4}-[0-9]{2,5}(\/[a-z])?$/);
    const word = fc.oneof(fc.lorem({ maxCount: 1 }), fc.constantFrom('MS', '12 %', '\n', 'http://x', '<b>'));
    fc.assert(
      fc.property(code, fc.lorem({ maxCount: 5 }), fc.array(word, { maxLength: 18 }), (identifier, text, written) => {
        const input = inputOf(`What is ${text} of ${identifier}?`);
        const queries = queriesOf(written.join(' '), input, limits);
        expect(queries.length).toBeLessThanOrEqual(2);
        const searches = [...input.tried, ...queries];
        searches.slice(1).forEach((query, i) => expect(alreadyTried(query, searches.slice(0, i + 1))).toBe(false));
        expect(
          searches.some((query) =>
            protectedTerms(input.question, input.analysis).every((term) => query.includes(term)),
          ),
        ).toBe(true);
      }),
    );
  });
});

describe("a model's sub-questions", () => {
  const question = 'What is the fee for order INV-1042-AB and when must it be paid?';
  const { tried: _, ...input } = inputOf(question);
  const read = (subQuestions: { aspect: 'a1' | 'a2' | 'a3'; question: string }[], tried = [question]) =>
    usableSubQuestions({ subQuestions }, { ...input, tried }, 3);

  test('get the terms that they lost, serve missing aspects only, and are no more than the turns', () => {
    expect(
      read([
        { aspect: 'a1', question: 'Which fee is charged?' },
        { aspect: 'a3', question: 'Who is the director?' },
        { aspect: 'a2', question: 'When is the payment of INV-1042-AB due?' },
      ]),
    ).toEqual([
      { aspectId: 'a1', query: 'INV-1042-AB Which fee is charged?' },
      { aspectId: 'a2', query: 'When is the payment of INV-1042-AB due?' },
    ]);
    const many = ['one', 'two', 'three', 'four', 'five'].map((word) => ({
      aspect: 'a1' as const,
      question: `Fee ${word}?`,
    }));
    expect(read(many)).toHaveLength(3);
  });

  test('that were tried, repeat each other or ask nothing are left out', () => {
    const due = { aspect: 'a2' as const, question: 'When is INV-1042-AB due?' };
    expect(read([due, { ...due, question: 'Due: when is INV-1042-AB' }, { ...due, question: '?' }])).toHaveLength(1);
    expect(read([due], [question, 'INV-1042-AB due'])).toEqual([]);
    expect(read([{ ...due, question: 'a '.repeat(200) }])).toEqual([]);
  });
});

describe("a model's analysis", () => {
  const byRules = analyseQuestion('Wie hoch ist die Gebühr für INV-1042-AB und wann ist sie fällig?');
  const answer = {
    kind: 'question' as const,
    language: 'de-DE',
    aspects: ['Gebühr für INV-1042-AB?', 'Fälligkeit der Gebühr?'],
  };

  test('gives aspects and language; codes, quotes and the search text stay those of the rules', () => {
    expect(mergedAnalysis(byRules, answer)).toMatchObject({
      kind: 'question',
      language: 'de',
      identifiers: ['INV-1042-AB'],
      searchText: byRules.searchText,
      aspects: [
        { id: 'a1', text: 'Gebühr für INV-1042-AB?' },
        { id: 'a2', text: 'Fälligkeit der Gebühr?', subject: null },
      ],
    });
  });

  test.each([
    ['none', []],
    ['too many', ['a b', 'c d', 'e f', 'g h', 'INV-1042-AB']],
    ['an empty one', ['Gebühr für INV-1042-AB?', ' ']],
    ['a code that was not asked for', ['Gebühr für INV-1042-AC?', 'INV-1042-AB']],
    ['the code lost', ['Gebühr?', 'Fälligkeit?']],
    ['one that is too long', [`INV-1042-AB ${'sehr '.repeat(80)}`]],
  ])('%s: the aspects of the rules stand', (_, aspects) => {
    expect(mergedAnalysis(byRules, { ...answer, aspects }).aspects).toEqual(byRules.aspects);
  });

  test('a question that names a code is a question; another may be none', () => {
    expect(mergedAnalysis(byRules, { ...answer, kind: 'smalltalk' }).kind).toBe('question');
    const thanks = analyseQuestion('Thanks, that solved it');
    expect(mergedAnalysis(thanks, { kind: 'smalltalk', language: 'en', aspects: [] })).toEqual({
      ...thanks,
      kind: 'smalltalk',
      language: 'en',
    });
  });

  test('no language is taken for a script that tells it, or from what is no code', () => {
    const japanese = analyseQuestion('設備点検はいつですか');
    expect(mergedAnalysis(japanese, { ...answer, language: 'zh' }).language).toBe('ja');
    expect(mergedAnalysis(byRules, { ...answer, language: 'German' }).language).toBe(byRules.language);
  });
});
