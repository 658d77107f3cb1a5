import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StatementReader } from '../../activities/models/statement-reader.ts';
import type { DraftStatement } from '../../domain/prompting/draft-answer.ts';

/** What a reader tells of pieces. */
function read(pieces: string[]) {
  const told: [piece: string, index: number][] = [];
  const statements: DraftStatement[] = [];
  const reader = new StatementReader({
    onText: (piece, index) => told.push([piece, index]),
    onStatement: (statement, index) => {
      expect(index).toBe(statements.length);
      statements.push(statement);
    },
  });
  for (const piece of pieces) reader.write(piece);
  const texts: string[] = [];
  for (const [piece, index] of told) texts[index] = (texts[index] ?? '') + piece;
  return { told, texts, statements };
}

/** The text cut at these places (UTF-16 code units, anywhere). */
function cut(text: string, places: number[]): string[] {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, i) => text.slice(sorted[i], end));
}

const escaped = (json: string) =>
  json.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('🙂', '設', 'é', '"', '\\', '\n', '\u2028', 'u00', '</', '{', ']', ' 12 %'), {
      maxLength: 15,
    })
    .map((parts) => parts.join('')),
);
const answer = fc.record({
  statements: fc.array(fc.record({ text, sources: fc.array(fc.constantFrom('s1', 's2', 'text'), { maxLength: 3 }) }), {
    maxLength: 5,
  }),
  unanswered: fc.array(fc.constantFrom('a1', 'a2')),
});
/** How the JSON is written. */
const form = fc.record({ indent: fc.constantFrom(0, 2), ascii: fc.boolean(), fence: fc.boolean() });
const places = fc.array(fc.nat(), { maxLength: 60 });

describe('the text of statements', () => {
  test('is the same however the JSON is written and wherever it is cut', () => {
    fc.assert(
      fc.property(answer, places, form, (value, at, { indent, ascii, fence }) => {
        const json = JSON.stringify(value, null, indent);
        const written = ascii ? escaped(json) : json;
        const { told, texts, statements } = read(cut(fence ? `\`\`\`json\n${written}\n\`\`\`` : written, at));
        expect(value.statements.map((_, i) => texts[i] ?? '')).toEqual(value.statements.map((one) => one.text));
        expect(statements).toEqual(value.statements);
        for (const [piece] of told) expect(piece.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('of an answer that ends anywhere is the beginning of the whole text', () => {
    fc.assert(
      fc.property(answer, places, fc.nat(), (value, at, end) => {
        const json = JSON.stringify(value);
        const { texts, statements } = read(cut(json.slice(0, end % json.length), at));
        for (const [i, said] of texts.entries()) expect(value.statements[i]?.text.startsWith(said ?? '')).toBe(true);
        expect(statements).toEqual(value.statements.slice(0, statements.length));
      }),
    );
  });

  test('comes with its first character, not with its last', () => {
    const { told } = read(['{"statements":[{"text":"T', 'he fee', ' is 12', ' %."']);
    expect(told.map(([piece]) => piece)).toEqual(['T', 'he fee', ' is 12', ' %.']);
  });

  test('waits for the rest of an escape and of a surrogate pair', () => {
    const { told } = read(['{"statements":[{"text":"a\\', 'n\\u00', 'e9\\ud83d', '\\ude42', '\ud83d', '\ude42."}']);
    expect(told.map(([piece]) => piece).join('|')).toBe('a\né|🙂|🙂.');
  });
});

test('a text elsewhere in the answer is none of a statement', () => {
  const { texts } = read([
    '{"text":"one","notes":[{"text":"two"}],"statements":[{"more":{"text":"three"},"text":"four","sources":["s1"]}]}',
  ]);
  expect(texts).toEqual(['four']);
});

test.each([
  ['no JSON', 'The fee is {12} %.'],
  ['a list', '[{"text":"one"}]'],
  ['statements that are no list', '{"statements":"one"}'],
  ['a text that is none', '{"statements":[{"text":7}]}'],
])('%s is passed over in silence', (_, json) => {
  expect(read([json])).toMatchObject({ texts: [], statements: [] });
});

test('after a fault nothing more is told', () => {
  const { texts } = read(['{"statements":[{"text":"one","sources":[,"s1"]},', '{"text":"two","sources":["s1"]}]}']);
  expect(texts).toEqual(['one']);
});

test('a statement that has its text twice is told with the first', () => {
  const { told } = read(['{"statements":[{"text":"one","text":"two","sources":[]}']);
  expect(told.map(([piece]) => piece)).toEqual(['one']);
});
