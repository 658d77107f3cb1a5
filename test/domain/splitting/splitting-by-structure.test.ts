import { describe, expect, test } from '@jest/globals';
import { splitDocument } from '../../../domain/splitting/split.ts';
import { documentOf, identity, options, prose } from './document-fixture.ts';
import type { Piece } from './document-fixture.ts';

const split = (pieces: Piece[], over: Partial<typeof options> = {}, title = identity.title) =>
  splitDocument(documentOf(pieces), { ...identity, title }, { ...options, ...over });
const heading = (text: string, level: number): Piece => ({ kind: 'heading', text, level });
const paragraph = (text: string, page?: number): Piece => ({ kind: 'paragraph', text, ...(page ? { page } : {}) });

describe('a document is cut by its structure', () => {
  test('sections carry the path of their headings, without the title repeated', () => {
    const passages = split([
      heading('Fees', 1),
      paragraph(prose(2, 10, 'intro')),
      heading('Late', 2),
      paragraph(prose(2, 10, 'late')),
      heading('Very late', 3),
      paragraph(prose(3, 10, 'worst')),
    ]);
    expect(passages.map(({ section }) => section)).toEqual(['', 'Late', 'Late › Very late']);
    expect(passages[2]?.context).toBe('Fees\nLate › Very late');
  });

  test('a full top-level section is not joined with the next, a very small one is', () => {
    const full = split([heading('A', 2), paragraph(prose(2, 10, 'a')), heading('B', 2), paragraph(prose(1, 10, 'b'))]);
    expect(full.map(({ section }) => section)).toEqual(['A', 'B']);
    const small = split([
      heading('Z', 1),
      heading('A', 2),
      paragraph('Only a few words.'),
      heading('B', 2),
      paragraph(prose(1, 10, 'b')),
    ]);
    expect(small).toHaveLength(1);
    expect(small[0]?.section).toBe('Z');
  });

  test('a heading that repeats the title, apart from the name of the site, is left out of section and context', () => {
    const [passage] = split(
      [heading('Rates', 1), heading('Night', 2), paragraph(prose(2, 10, 'a'))],
      {},
      'Rates | Acme',
    );
    expect([passage?.section, passage?.context]).toEqual(['Night', 'Rates | Acme\nNight']);
    const [other] = split([heading('Rates', 1), paragraph(prose(2, 10, 'a'))], {}, 'Rates of exchange');
    expect(other?.section).toBe('Rates');
  });

  test('small parts under one heading carry that heading, an introduction before it does not count', () => {
    const parts = [
      heading('Money', 2),
      heading('Fees', 3),
      paragraph('Twelve crowns.'),
      heading('Taxes', 3),
      paragraph('None of them.'),
    ];
    expect(split([paragraph('What things cost.'), ...parts]).map(({ section }) => section)).toEqual(['Money']);
  });

  test('a passage overlaps the one before in whole sentences', () => {
    const [first, second] = split([paragraph(prose(12, 9, 's'))]);
    const last = first?.strips.at(-1);
    expect(last).toBeDefined();
    expect(second?.strips[0]).toEqual(last);
  });

  test('a short rest joins the last passage', () => {
    const passages = split([paragraph(prose(4, 10, 's')), paragraph('A short last remark of this page.')]);
    expect(passages).toHaveLength(1);
  });

  test('passages end between paragraphs rather than inside one', () => {
    const [first] = split([paragraph(prose(3, 10, 'p')), paragraph(prose(3, 10, 'q')), paragraph(prose(3, 10, 'r'))]);
    expect(first?.strips).toHaveLength(3);
  });

  test('a code block within the window is one strip however long', () => {
    const code = Array.from({ length: 30 }, (_, n) => `set option${n} = ${n};`).join('\n');
    const passages = split([paragraph(prose(3, 10, 'p')), { kind: 'code', text: code }, paragraph(prose(3, 10, 'q'))], {
      maxTokens: 256,
    });
    const holding = passages.filter(({ strips }) => strips.some(({ kind }) => kind === 'code'));
    expect(holding).toHaveLength(1);
    expect(holding[0]?.text).toContain(code);
  });

  test('every passage of a table has the header row, in its text or in its context', () => {
    const rows: Piece[] = Array.from({ length: 20 }, (_, n) => ({
      kind: 'row',
      text: `part P-${n} | costs ${n} crowns today`,
      headerBlock: 0,
    }));
    const passages = split([{ kind: 'header', text: 'Part | Price' }, ...rows]);
    expect(passages.length).toBeGreaterThan(2);
    for (const { text, context, strips } of passages) {
      expect(`${context}\n${text}`.split('Part | Price')).toHaveLength(2);
      expect(strips.every(({ kind, header }) => kind === 'row' && header?.text === 'Part | Price')).toBe(true);
    }
    expect(new Set(passages.flatMap(({ strips }) => strips.map(({ start }) => start))).size).toBe(20);
  });

  test('a passage stays on its page, unless there is next to nothing on it', () => {
    const passages = split([
      paragraph(prose(1, 12, 'a'), 1),
      paragraph(prose(1, 12, 'b'), 2),
      paragraph('A stub.', 3),
      paragraph(prose(2, 12, 'c'), 4),
    ]);
    expect(passages.map(({ page }) => page)).toEqual([1, 2, 4]);
    expect(passages[2]?.text).toMatch(/^A stub\./);
  });

  test('a title page is not lost, and does not give its number to the page after it', () => {
    const passages = split([
      { ...heading('Handbook', 1), page: 1 },
      { ...heading('Leave', 2), page: 2 },
      paragraph(prose(2, 12, 'b'), 2),
    ]);
    expect(passages.map(({ page }) => page)).toEqual([2]);
    expect(passages[0]?.text).toMatch(/^Handbook/);
  });

  test('a heading with nothing below it can be cited', () => {
    const passages = split(
      [heading('Deck', 1), heading('Closed on Sundays and on public holidays', 2), heading('Ends', 2)],
      {},
      'Deck',
    );
    expect(passages.map(({ text }) => text)).toEqual(['Closed on Sundays and on public holidays\n\nEnds']);
  });

  test('a table header without rows can be cited', () => {
    expect(split([{ kind: 'header', text: 'Part | Price' }]).map(({ text }) => text)).toEqual(['Part | Price']);
  });
});

describe('what no passage can hold whole', () => {
  test.each(['paragraph', 'item', 'row', 'code'] as const)(
    'a %s longer than the window is cut between words, and nothing is lost',
    (kind) => {
      const text = Array.from({ length: 500 }, (_, n) => `E-04${n}/b`).join(' ');
      const passages = split([{ kind, text }]);
      expect(passages.length).toBeGreaterThan(4);
      expect(
        passages
          .flatMap(({ strips }) => strips)
          .map(({ start, end }) => text.slice(start, end))
          .join(' '),
      ).toBe(text);
      for (const passage of passages) expect(options.countTokens(passage.text)).toBeLessThanOrEqual(96);
    },
  );

  test('text without spaces is cut at the words of its script, and never inside a surrogate pair', () => {
    const text = '設備点検は毎月第二火曜日に行う'.repeat(200) + '𠮷'.repeat(999);
    const passages = split([paragraph(text)]);
    expect(passages.map((passage) => passage.text).join('')).toBe(text);
    for (const passage of passages) expect(passage.text.isWellFormed()).toBe(true);
  });

  test('a long unbroken run counts by its characters, though the tokenizer calls it one token', () => {
    const passages = split([paragraph('x'.repeat(20_000))]);
    expect(passages.every(({ text }) => text.length <= 960)).toBe(true);
    expect(passages.map(({ text }) => text).join('')).toHaveLength(20_000);
  });

  test('a context larger than its share of the window is cut', () => {
    const [passage] = split([paragraph(prose(1, 10, 'a'))], {}, 'title '.repeat(80).trim());
    expect(options.countTokens(passage?.context ?? '')).toBeLessThanOrEqual(32);
    expect(passage?.context.endsWith('…')).toBe(true);
  });

  test('sentences in a very long line stay whole', () => {
    const text = prose(6000, 9, 'sentence');
    const strips = split([paragraph(text)]).flatMap((passage) => passage.strips);
    expect(new Set(strips.map(({ start }) => start)).size).toBe(6000);
  });

  test('options that leave no room are refused', () => {
    expect(() => split([paragraph('x')], { targetTokens: 10, overlapTokens: 9 })).toThrow(RangeError);
  });
});
