import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageMentions } from '../../../domain/text/page-mentions.ts';

/** "2-5 9-": spans from the first mention to the last. */
const pagesIn = (text: string) =>
  pageMentions(text)
    .flatMap(({ spans }) => spans)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to ?? ''}`))
    .join(' ');

describe('pages that a text names', () => {
  test.each([
    ['What does page 3 of the harbour permit say?', '3'],
    ['What is the fee on p. 3?', '3'],
    ['See p.14', '14'],
    ['Who signed page three?', '3'],
    ['Who signed page twenty-one?', '21'],
    ['What is on the third page?', '3'],
    ['What is on the 3rd page?', '3'],
    ['What do the first two pages say?', '1-2'],
    ['What do pages 2 to 5 say?', '2-5'],
    ['What do pages two through five say?', '2-5'],
    ['pp. 2–5 and 9', '2-5 9'],
    ['pages 2, 3, and 7', '2 3 7'],
    ['from page 3 to page 5', '3-5'],
    ['between pages 2 and 5', '2-5'],
    ['on page 3 or page 5', '3 5'],
    ['from page 3 onwards', '3-'],
    ['pages 3 ff.', '3-'],
    ['after page 3', '4-'],
    ['before page 3', '1-2'],
    ['up to page 3', '1-3'],
    ['What does page 3 in the handbook say?', '3'],
    ['page 3 of 5', '3'],
    ['On page 3, 12 percent is named', '3'],
    ['What does slide 4 show?', '4'],
    ['page １２', '12'],
    ['Was steht auf Seite 3 der Genehmigung?', '3'],
    ['Was steht auf den Seiten 2 bis 5?', '2-5'],
    ['Was steht auf Seite drei?', '3'],
    ['Was steht auf der dritten Seite?', '3'],
    ['Was steht auf S. 3?', '3'],
    ['ab Seite 4', '4-'],
    ['Que dit la page 3 du permis ?', '3'],
    ['les pages 2 à 5', '2-5'],
    ['la troisième page', '3'],
    ['¿Qué dice la página 3?', '3'],
    ['las páginas 2 a 5', '2-5'],
    ['Что на странице 3?', '3'],
    ['3ページには何が書いてありますか', '3'],
    ['第3页写了什么', '3'],
    ['第三页', '3'],
    ['第2页到第5页', '2 5'],
    ['3쪽에 무엇이 있나요', '3'],
  ])('%s → %s', (text, expected) => {
    expect(pagesIn(text)).toBe(expected);
  });

  test.each([
    'How do I reset the landing page?',
    'How many pages has the permit?',
    'How often may I reload the page 3 times a day?',
    'Who edited the page two weeks ago?',
    'Wait before you reload the page two or three times',
    'Why do I see error page 404?',
    'What does the page one sees after login show?',
    'Who signs the 3-page form?',
    'Which pageant was held in 1999?',
    'Does the bolt slide 3 mm?',
    'Does homepage 3 exist?',
    'Which page holds version 2.5?',
    '全3ページですか',
    '3ページの書類',
    'What is on page 0?',
  ])('%s names none', (text) => {
    expect(pagesIn(text)).toBe('');
  });

  test('are found whatever stands around them, at their place', () => {
    const around = fc.constantFrom('What does ', 'Fee on ', 'And: ', 'the permit, ', '');
    fc.assert(
      fc.property(
        around,
        fc.integer({ min: 1, max: 9999 }),
        fc.constantFrom(' say?', '', '.', ' of 5', ' in full'),
        (lead, page, rest) => {
          const text = `${lead}page ${page}${rest}`;
          const [mention, ...others] = pageMentions(text);
          expect(others).toEqual([]);
          expect(mention).toEqual({
            start: lead.length,
            end: lead.length + `page ${page}`.length,
            spans: [{ from: page, to: page }],
          });
        },
      ),
    );
  });

  test('are in order and apart, count from 1 and end where they end, in any text', () => {
    const piece = fc.constantFrom(
      'page ',
      'pages ',
      'p. ',
      'Seite ',
      'third page ',
      '3',
      '12',
      ' to ',
      ' and ',
      ', ',
      '-',
      'before ',
      'after ',
      '第',
      '页',
      'two ',
      '0',
      '.',
      ' onwards',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end, spans } of pageMentions(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
          for (const { from, to } of spans) {
            expect(from).toBeGreaterThanOrEqual(1);
            if (to !== null) expect(to).toBeGreaterThanOrEqual(from);
          }
        }
      }),
    );
  });

  test('take time in proportion to the text', () => {
    const started = performance.now();
    pageMentions('page 3 and '.repeat(2000));
    pageMentions('page 3. '.repeat(2000));
    pageMentions('pages '.repeat(2000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
