import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsIdentifier, identifiers } from '../../domain/text/identifiers.ts';
import { outgoingQuery } from '../../domain/web/outgoing-query.ts';
import { webQuery } from '../../domain/web/web-query.ts';

const log = Array.from(
  { length: 200 },
  (_, n) => `12:${String(n % 60).padStart(2, '0')} unit B${n}-Kilo step ${n} reports pressure ${n * 3} kPa`,
).join('\n');
const openRules = { patterns: [], privateNames: [], privateSpans: [] };

const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe('a web query', () => {
  test('of a pasted log is its question', () => {
    const text = `${log.slice(0, 9_000)}\nWhy does unit Q7-Lima stop at step 14?`;
    const query = webQuery(text, { identifiers: identifiers(text) });
    expect(query.length).toBeLessThanOrEqual(400);
    expect(query).toContain('Why does unit Q7-Lima stop at step 14?');
  });

  test('keeps an identifier from the middle of a text without questions', () => {
    const text = `${log} and E-0417/b once. ${log}`;
    expect(webQuery(text, { identifiers: ['E-0417/b'] })).toMatch(/ E-0417\/b$/);
  });

  test('of 400 characters stays as it is; of 401 it loses a word', () => {
    const exact = `${'abcdefg '.repeat(49)}12345678`;
    expect(exact).toHaveLength(400);
    expect(webQuery(exact, { identifiers: [] })).toBe(exact);
    expect(webQuery(`${exact}9`, { identifiers: [] })).toBe(exact.slice(0, 391));
  });

  test('of 400 emoji is cut between two of them', () => {
    const query = webQuery('👩‍🔧'.repeat(400), { identifiers: [] });
    expect(query.length).toBeLessThanOrEqual(400);
    expect(query.length).toBeGreaterThan(390);
    expect(query.replaceAll('👩‍🔧', '')).toBe('');
  });

  test('of Japanese without spaces is cut between characters', () => {
    const query = webQuery('設備点検は毎月第二火曜日に行う。'.repeat(60), { identifiers: [] });
    expect(query.length).toBeGreaterThan(300);
    expect(query.length).toBeLessThanOrEqual(400);
  });

  test('is one line', () => {
    expect(webQuery('  a\n\n b\t c ', { identifiers: [] })).toBe('a b c');
  });

  test('never is longer, never holds half a character, and keeps what fits of the identifiers', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('Q7-Lima', 'E-0417/b', 'why?', '。', '\n', '👩‍🔧'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), fc.integer({ min: 20, max: 400 }), (parts, maxCharacters) => {
        const text = parts.join(' ');
        const query = webQuery(text, { identifiers: ['Q7-Lima'], maxCharacters });
        expect(query.length).toBeLessThanOrEqual(maxCharacters);
        expect(query).not.toMatch(half);
        if (holdsIdentifier(text.replace(/\s+/g, ' '), 'Q7-Lima')) expect(query).toContain('Q7-Lima');
      }),
    );
  });
});

describe('an outgoing query', () => {
  test('keeps what an identifier is asked for, and not one that the privacy check took out', () => {
    const text = `${log.slice(0, 9_000)}\nWhy was claim CL-88412 refused by unit Q7-Lima?`;
    const query = outgoingQuery(text, { ...openRules, identifiers: ['CL-88412', 'Q7-Lima'], patterns: ['CL-\\d+'] });
    expect(query.query).toContain('Q7-Lima');
    expect(query.query).not.toContain('88412');
  });

  test('is checked before it is cut: half of an address does not leave', () => {
    const text = `${'word '.repeat(78)}tilda.marsh.of.the.harbour@example.invalid`;
    expect(outgoingQuery(text, { ...openRules, identifiers: [] }).query).not.toContain('tilda');
  });

  test.each(['?', '👍'.repeat(400), '... !!'])('of nothing that asks is none: %s', (text) => {
    expect(outgoingQuery(text, { ...openRules, identifiers: [] })).toEqual({ query: null, removed: [] });
  });
});
