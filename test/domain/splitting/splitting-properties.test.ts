import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import { splitDocument } from '../../../domain/splitting/split.ts';
import { documentOf, identity, options } from './document-fixture.ts';
import type { Piece } from './document-fixture.ts';

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 9 }),
  fc.constantFrom('E-0417/b', '12.5', 'No.', 'e.g.', '設備点検は。', '𠮷', 'rate'),
);
const line = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '. ', '! ')), { minLength: 1, maxLength: 60 })
  .map((words) => words.flat().join('').trim() || 'x');
const page = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
const piece: fc.Arbitrary<Piece[]> = fc.oneof(
  fc
    .record({ text: line, level: fc.integer({ min: 1, max: 4 }) })
    .map(({ text, level }): Piece[] => [{ kind: 'heading', text, level }]),
  fc
    .tuple(fc.constantFrom('paragraph' as const, 'item' as const, 'code' as const), line)
    .map(([kind, text]): Piece[] => [{ kind, text }]),
  fc
    .array(line, { minLength: 1, maxLength: 6 })
    .map(([head, ...rows]): Piece[] => [
      { kind: 'header', text: head ?? 'x' },
      ...rows.map((text): Piece => ({ kind: 'row', text, headerBlock: 0 })),
    ]),
);
const anyDocument = fc.tuple(fc.array(piece, { maxLength: 12 }), page).map(([groups, first]): ParsedDocument => {
  const pieces: Piece[] = [];
  for (const [n, group] of groups.entries()) {
    const header = pieces.length;
    const place = first === undefined ? {} : { page: first + Math.floor(n / 3) };
    for (const one of group)
      pieces.push({ ...one, ...(one.headerBlock === undefined ? {} : { headerBlock: header }), ...place });
  }
  return documentOf(pieces);
});
const anySize = fc.integer({ min: 8, max: 60 }).chain((targetTokens) =>
  fc.record({
    targetTokens: fc.constant(targetTokens),
    overlapTokens: fc.integer({ min: 0, max: Math.floor(Math.min(targetTokens, 48) / 4) }),
    maxTokens: fc.integer({ min: 32, max: 128 }),
  }),
);

/** Headings with text below them name their passages instead of being in them. */
function citable(parsed: ParsedDocument) {
  return parsed.blocks.filter(({ kind, level = 1, page }, n) => {
    const next = parsed.blocks[n + 1];
    return (
      kind !== 'heading' ||
      next === undefined ||
      next.page !== page ||
      (next.kind === 'heading' && (next.level ?? 1) <= level)
    );
  });
}

describe('splitting, whatever the document', () => {
  test('all citable text is in at least one passage and in at least one strip or header', () => {
    fc.assert(
      fc.property(anyDocument, anySize, (parsed, size) => {
        const passages = splitDocument(parsed, identity, { ...options, ...size });
        const held = new Uint8Array(parsed.text.length);
        const stripped = new Uint8Array(parsed.text.length);
        for (const passage of passages) {
          held.fill(1, passage.start, passage.end);
          for (const { start, end, header } of passage.strips) {
            stripped.fill(1, start, end);
            if (header) stripped.fill(1, header.start, header.end);
          }
        }
        for (const { start, end } of citable(parsed)) {
          for (let at = start; at < end; at++) {
            if (/\s/.test(parsed.text.charAt(at))) continue;
            expect([at, held[at], stripped[at]]).toEqual([at, 1, 1]);
          }
        }
      }),
    );
  });

  test('offsets select the text to the letter; strips are inside, in order, apart', () => {
    fc.assert(
      fc.property(anyDocument, anySize, (parsed, size) => {
        for (const passage of splitDocument(parsed, identity, { ...options, ...size })) {
          expect(passage.text).toBe(parsed.text.slice(passage.start, passage.end));
          expect(passage.text.trim()).toBe(passage.text);
          let at = passage.start;
          for (const { start, end } of passage.strips) {
            expect(start).toBeGreaterThanOrEqual(at);
            expect(end).toBeGreaterThan(start);
            at = end;
          }
          expect(at).toBe(passage.end);
        }
      }),
    );
  });

  test('passages go forward, each with something new, none beyond the window', () => {
    fc.assert(
      fc.property(anyDocument, anySize, (parsed, size) => {
        const passages = splitDocument(parsed, identity, { ...options, ...size });
        for (const [n, passage] of passages.entries()) {
          expect(passage.ordinal).toBe(n);
          expect(passage.end).toBeGreaterThan(passages[n - 1]?.end ?? -1);
          const tokens = passage.strips.reduce(
            (sum, { start, end }) => sum + options.countTokens(parsed.text.slice(start, end)),
            0,
          );
          expect(tokens).toBeLessThanOrEqual(size.maxTokens - Math.floor(size.maxTokens / 4));
        }
      }),
    );
  });

  test('the same input gives the same ids; another version, tenant or document gives others', () => {
    fc.assert(
      fc.property(anyDocument, (parsed) => {
        const ids = (over: object) => splitDocument(parsed, { ...identity, ...over }, options).map(({ id }) => id);
        const first = ids({});
        expect(ids({})).toEqual(first);
        expect(new Set(first).size).toBe(first.length);
        for (const id of first) expect(id).toMatch(/^p_[0-9a-f]{20}$/);
        for (const over of [{ version: 'v2' }, { tenant: 'other' }, { documentId: 'other' }]) {
          expect(ids(over).some((id) => first.includes(id))).toBe(false);
        }
      }),
    );
  });

  test('a code block, a row or a short item is never divided when it fits the window', () => {
    fc.assert(
      fc.property(anyDocument, (parsed) => {
        const roomy = { ...options, maxTokens: 4096 };
        const strips = splitDocument(parsed, identity, roomy).flatMap((passage) => passage.strips);
        for (const { kind, start, end } of parsed.blocks) {
          if (kind !== 'code' && kind !== 'row') continue;
          const text = parsed.text.slice(start, end);
          const from = start + text.length - text.trimStart().length;
          expect(strips).toContainEqual(expect.objectContaining({ start: from, end: from + text.trim().length, kind }));
        }
      }),
    );
  });
});
