import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyseQuestion } from '../../../domain/rules/analyse.ts';
import { gradePassages, onItsPage, type GradablePassage } from '../../../domain/rules/grade.ts';
import { noAnswerOnPages } from '../../../domain/rules/page-words.ts';
import { otherPagesLast, pageSpans, pagesAsked } from '../../../domain/rules/pages.ts';
import { scoreStrips } from '../../../domain/rules/strips.ts';

const limits = { method: 'local' as const, minCharacters: 10, relevant: 0.7, irrelevant: 0.3 };
const refine = { contextTokens: 1000, minCharacters: 8, keep: 0.3, keepFromPartial: 0.45 };
const vector = Float32Array.of(1, 0);

function passage(page: number | null, text = 'The harbour fee of permit HP-20 is 40 crowns.'): GradablePassage {
  const strips = [{ start: 0, end: text.length, kind: 'sentence' as const, header: null }];
  return { id: `on ${page}`, text, context: 'Harbour permit', start: 0, page, strips, vector, stripVectors: [vector] };
}

function gradesOf(question: string, passages: GradablePassage[]) {
  const analysis = analyseQuestion(question);
  return gradePassages(passages, { analysis, vectors: analysis.aspects.map(() => vector) }, limits);
}

/** The pages that each aspect of a question is about. */
function asked(question: string) {
  const analysis = analyseQuestion(question);
  return analysis.aspects.map(
    (aspect) => pagesAsked(aspect, analysis)?.spans.map(({ from, to }) => [from, to]) ?? null,
  );
}

describe('the pages that a question is about', () => {
  test.each([
    ['What is the harbour fee on page 3?', [[[3, 3]]]],
    ['What is the harbour fee?', [null]],
    ['How do I reset the landing page?', [null]],
    ['What is the harbour fee on page 3, and when is it due?', [[[3, 3]], [[3, 3]]]],
    [
      'I am reading pages 3 and 4 of the permit. What is the harbour fee?',
      [
        [
          [3, 3],
          [4, 4],
        ],
      ],
    ],
    ['What is the harbour fee on page 3, and who signed the rope contract on page 5?', [[[3, 3]], [[5, 5]]]],
    ['What is the harbour fee on page 3, and who signed the rope contract?', [[[3, 3]], null]],
  ])('%s', (question, expected) => {
    expect(asked(question)).toEqual(expected);
  });

  test('are not those of a pasted log', () => {
    const log = `${'Page 3 of 7, valve position reported normal. '.repeat(40)}\nWhy does unit Q7-Lima stop at step 14?`;
    expect(analyseQuestion(log).pages).toEqual([]);
  });
});

describe('a passage of another page', () => {
  test('is irrelevant, with the reason said, however well it fits', () => {
    const [other, own] = gradesOf('What is the harbour fee of permit HP-20 on page 3?', [passage(1), passage(3)]);
    expect(other).toEqual({
      evidenceId: 'on 1',
      score: 0,
      label: 'irrelevant',
      aspects: [],
      reason: 'on page 1; the question is about page 3',
    });
    expect(own).toMatchObject({ label: 'relevant', aspects: ['a1'] });
  });

  test('is relevant for what the question asks of no page', () => {
    const text = 'The rope contract of the harbour was signed by Marlo Quist.';
    const question = 'What is the harbour fee on page 3, and who signed the rope contract?';
    expect(gradesOf(question, [passage(1, text)])).toMatchObject([{ label: 'relevant', aspects: ['a2'] }]);
    const analysis = analyseQuestion(question);
    const marked = [{ ...passage(1, text), documentId: 'd', supports: ['a2'] }];
    const [strip] = scoreStrips(marked, { analysis, vectors: [vector, vector] }, refine);
    expect(strip?.aspects.map(({ id }) => id)).toEqual(['a2']);
  });

  test('gives no strip', () => {
    const analysis = analyseQuestion('What is the harbour fee on page 3?');
    const marked = [1, 3, null].map((page) => ({ ...passage(page), documentId: 'd', supports: [] }));
    const scored = scoreStrips(marked, { analysis, vectors: [vector] }, refine);
    expect(scored.map(({ passage }) => passage.page)).toEqual([3, null]);
  });

  test('is irrelevant for a judge that finds it relevant, too', () => {
    const analysis = analyseQuestion('What is the harbour fee on page 3?');
    const grade = {
      evidenceId: 'p',
      score: 0.9,
      label: 'relevant' as const,
      aspects: ['a1'],
      reason: 'states the answer',
    };
    expect(onItsPage(grade, 1, analysis)).toMatchObject({ label: 'irrelevant', score: 0, aspects: [] });
    expect(onItsPage(grade, 3, analysis)).toEqual(grade);
    expect(onItsPage(grade, null, analysis)).toEqual(grade);
  });

  test('is never anything else, and one that is on the page or has none never is for that', () => {
    const span = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 10 }));
    fc.assert(
      fc.property(span, fc.option(fc.integer({ min: 1, max: 60 })), ([from, more], page) => {
        const named = more === 0 ? `page ${from}` : `pages ${from} to ${from + more}`;
        const [grade] = gradesOf(`What is the harbour fee of permit HP-20 on ${named}?`, [passage(page)]);
        const inside = page === null || (page >= from && page <= from + more);
        expect(grade?.label === 'irrelevant').toBe(!inside);
        expect(grade?.reason.startsWith('on page')).toBe(!inside);
      }),
    );
  });

  test('is as good as any when the question only speaks of a page', () => {
    const question = 'What is the harbour fee of permit HP-20, and how do I reset the landing page?';
    expect(gradesOf(question, [passage(7)])).toMatchObject([{ label: 'relevant' }]);
  });
});

describe('a passage on the page that is asked about', () => {
  test('need not say so, unlike one without a page', () => {
    const [own, without] = gradesOf('What is the harbour fee on page 3?', [passage(3), passage(null)]);
    expect(own?.reason).toContain("100 % of the question's words");
    expect(without?.reason).toContain('not here: page, 3');
  });
});

describe('passages of other pages', () => {
  test('come last, the rest in order', () => {
    const order = (pages: (number | null)[], question: string) =>
      otherPagesLast(
        pages.map((page) => ({ page })),
        analyseQuestion(question).pages,
      ).map(({ page }) => page);
    expect(order([1, 3, null, 4, 3], 'What is the fee on page 3?')).toEqual([3, null, 3, 1, 4]);
    expect(order([2, 1, null], 'What is the fee?')).toEqual([2, 1, null]);
  });
});

describe('why there is no answer', () => {
  const unread = { documentId: 'd', title: 'Harbour permit', pages: pageSpans([2, 3, 4, 7]) };
  test.each([
    [[], null, null],
    [[{ from: 3, to: 3 }], null, 'Nothing on page 3 of the documents that you may read speaks to this question.'],
    [
      [{ from: 3, to: null }],
      null,
      'Nothing on pages 3 and after of the documents that you may read speaks to this question.',
    ],
    [
      [{ from: 2, to: 7 }],
      unread,
      'Pages 2–4, 7 of “Harbour permit” gave no text when it was read: pictures of text are not read.',
    ],
  ])('%j %j', (pages, gap, message) => {
    expect(noAnswerOnPages(pages, gap)).toBe(message);
  });
});
