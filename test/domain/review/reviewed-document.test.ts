import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { passagesMarkdown, plainMarkdown } from '../../../domain/review/markdown.ts';
import { reviewedDocument } from '../../../domain/review/reviewed-document.ts';
import { linesOf, parse } from '../../parsers/support/parse.ts';

const read = async (markdown: string) => (await parse(markdown, 'a.md')).text;
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

describe('a text as Markdown', () => {
  const syntax = fc.constantFrom(
    '# ',
    '*',
    '_',
    '**',
    '`',
    '```',
    '~~',
    '[a](b)',
    '[a]: b',
    '<b>',
    '<!--',
    '&amp;',
    '1. ',
    '---',
    '===',
    '|',
    '> ',
    '\\',
    '    ',
    'http://a.example/b_c',
    'x',
    '5 %',
    'E-0417/b',
    '保証',
  );
  const line = fc.array(syntax, { minLength: 1, maxLength: 6 }).map((parts) => squeezed(parts.join('')));

  test('reads as the text that it was', async () => {
    const saying = line.filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^[-*+•]\s/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(saying, { minLength: 1, maxLength: 4 }), async (lines) => {
        expect(await read(plainMarkdown(lines.join('\n')))).toBe(lines.join('\n\n'));
      }),
      { numRuns: 200 },
    );
  });

  test('keeps list items as items', async () => {
    const document = await parse(plainMarkdown('It covers:\n- the motor\n• the gear'), 'a.md');
    expect(document.blocks.filter(({ kind }) => kind === 'item')).toHaveLength(2);
  });
});

describe('passages as Markdown', () => {
  const text = 'The fee is due at once. It is nine crowns.\n\nModel | Torque\nH60 | 610 Nm\nH40 | 410 Nm';
  const strip = (quote: string, kind: 'sentence' | 'row') => {
    const start = text.indexOf(quote);
    const at = text.indexOf('Model | Torque');
    const header = kind === 'row' ? { start: at, end: at + 14, text: 'Model | Torque' } : null;
    return { start, end: start + quote.length, kind, header };
  };
  const strips = [
    strip('The fee is due at once.', 'sentence'),
    strip('It is nine crowns.', 'sentence'),
    strip('H60 | 610 Nm', 'row'),
    strip('H40 | 410 Nm', 'row'),
  ];
  const passage = (from: number, to: number) => {
    const own = strips.slice(from, to);
    const start = own[0]?.start ?? 0;
    return { start, text: text.slice(start, own.at(-1)?.end), strips: own };
  };

  test('say once what they share, in the order of their document, with the header of a table that was cut', async () => {
    const document = await parse(passagesMarkdown([passage(2, 4), passage(1, 3), passage(0, 2)]), 'a.md');
    expect(squeezed(document.text)).toBe(
      'The fee is due at once. It is nine crowns. Model | Torque H60 | 610 Nm H40 | 410 Nm',
    );
  });
});

describe('a reviewed document', () => {
  const by = { reviewer: 'ann', approvedBy: null, decidedAt: '2026-11-30T08:00:00.000Z', citedDocuments: [] };

  const answer = (question: string, ...statements: string[]) => {
    const sources = [{ title: 'Fee notice <2026>', uri: 'https://fees.example/a_b' }];
    return reviewedDocument({ question, reviewed: { ...by, text: { kind: 'answer', statements, sources } } }, []);
  };

  test('says the question, who stands for the answer, its source, and the answer', async () => {
    const document = await parse(answer('What is\nthe fee?', 'The fee is *12 %*.'), 'a.md');
    expect(document.title).toBe('What is the fee?');
    expect(linesOf(document)).toEqual([
      ['heading', 'What is the fee?'],
      ['heading', 'Reviewed by ann on 2026-11-30. Source: Fee notice <2026>, https://fees.example/a_b'],
      ['paragraph', 'The fee is *12 %*.'],
    ]);
  });

  test.each([
    ['that says nothing without its question', ['Nine crowns.']],
    ['of several parts', ['The fee is nine crowns.', '1. Pay it | at once.']],
  ])('keeps an answer %s in one row with the question', async (_, statements) => {
    const lines = linesOf(await parse(answer('What is the fee?', ...statements), 'a.md'));
    expect(lines.slice(2)).toEqual([
      ['header', 'Question | Answer'],
      ['row', `What is the fee? | ${statements.join(' ')}`],
    ]);
  });

  test.each([[['Owls live in the old tower.']], [['It is in the drawer.', 'Nobody may take it home.']]])(
    'leaves whole sentences as they are: %j',
    async (statements) => {
      const lines = linesOf(await parse(answer('What is the fee?', ...statements), 'a.md'));
      expect(lines.slice(2)).toEqual(statements.map((text) => ['paragraph', text]));
    },
  );

  test('cuts a very long answer into its statements', async () => {
    const statements = Array.from({ length: 100 }, (_, n) => `The fee of class ${n} is ${n} crowns.`);
    const lines = linesOf(await parse(answer('What is the fee?', ...statements), 'a.md'));
    expect(lines.slice(2)).toEqual(statements.map((text) => ['paragraph', text]));
  });

  test('says the evidence under its source, and who approved it', async () => {
    const text = { kind: 'evidence' as const, passages: ['reviewer.p'] };
    const reviewed = { ...by, approvedBy: 'ben', text };
    const strips = [{ start: 10, end: 24, kind: 'sentence' as const, header: null }];
    const given = { title: 'Notice', uri: '', passages: [{ start: 10, text: 'The fee is 12.', strips }] };
    const markdown = reviewedDocument({ question: '--- # no front matter', reviewed }, [given]);
    expect(await read(markdown)).toBe(
      '--- # no front matter\n\nReviewed by ann on 2026-11-30, approved by ben. Source: Notice\n\nThe fee is 12.',
    );
  });
});
