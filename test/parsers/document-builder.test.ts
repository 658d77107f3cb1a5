import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DocumentBuilder } from '../../adapters/parsers/document-builder.ts';
import { expectWellFormed, linesOf } from './support/parse.ts';

const cell = fc.string({ unit: 'grapheme', maxLength: 12 });
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('paragraph' as const, 'item' as const, 'code' as const),
    text: fc.string({ unit: 'binary' }),
  }),
  fc.record({ kind: fc.constant('heading' as const), text: cell, level: fc.integer({ min: -1, max: 9 }) }),
  fc.record({
    kind: fc.constant('table' as const),
    header: fc.array(cell, { maxLength: 4 }),
    rows: fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 4 }),
  }),
);

describe('document builder', () => {
  test('offsets select each block, whatever is added in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const builder = new DocumentBuilder('text', 1_000_000);
        builder.paragraph('first');
        for (const s of steps) {
          if (s.kind === 'heading') builder.heading(s.text, s.level);
          else if (s.kind === 'table') {
            const header = builder.header(s.header);
            for (const row of s.rows) builder.row(row, header);
          } else builder[s.kind](s.text);
        }
        const document = builder.finish();
        expectWellFormed(document);
        expect(document.blocks.every((block) => block.kind !== 'heading' || (block.level ?? 0) >= 1)).toBe(true);
      }),
    );
  });

  test('items and rows stand on neighbouring lines, other blocks and new tables are set off by an empty line', () => {
    const builder = new DocumentBuilder('text', 1_000);
    builder.paragraph('p');
    builder.item('a');
    builder.item('b');
    const first = builder.header(['h', 'k']);
    builder.row(['1', '2'], first);
    builder.header(['x', 'y']);
    expect(builder.finish().text).toBe('p\n\na\nb\n\nh | k\n1 | 2\n\nx | y');
  });

  test('empty cells keep later ones under their header; empty cells at the end go', () => {
    const builder = new DocumentBuilder('text', 1_000);
    builder.row(['a', '', 'c', '', ''], null);
    expect(builder.finish().text).toBe('a |  | c');
  });

  test('soft line breaks become a space, between Chinese or Japanese characters nothing', () => {
    const builder = new DocumentBuilder('text', 1_000);
    builder.paragraph('one\ntwo\u2028three\ffour\r\nfive');
    builder.paragraph('設備点検は毎月\n第二火曜日に行う。');
    expect(linesOf(builder.finish())).toEqual([
      ['paragraph', 'one two three four five'],
      ['paragraph', '設備点検は毎月第二火曜日に行う。'],
    ]);
  });

  test('more text than allowed is refused, not cut', () => {
    const builder = new DocumentBuilder('xlsx', 100);
    builder.paragraph('x'.repeat(60));
    expect(() => builder.paragraph('y'.repeat(60))).toThrow(
      expect.objectContaining({ code: 'Document.TooLargeUnpacked', format: 'xlsx' }),
    );
  });

  test('a document without a block has no text', () => {
    const builder = new DocumentBuilder('text', 100);
    builder.paragraph(' \u200b\u00a0\n');
    expect(() => builder.finish()).toThrow(expect.objectContaining({ code: 'Document.NoText' }));
  });
});
