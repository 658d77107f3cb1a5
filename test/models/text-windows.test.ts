import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { batchesOf } from '../../adapters/models/openai/embedding-batches.ts';
import { textWindows } from '../../adapters/models/text-windows.ts';

const countCharacters = (text: string) => [...text].length;
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('windows over a long text', () => {
  test('hold every character once, in order, and never more than the limit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'word ', '\n', '請', '😀', ' '), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, limit) => {
        const windows = textWindows(whole, limit, countCharacters);
        expect(windows.map((window) => window.text).join('')).toBe(whole);
        for (const window of windows) {
          expect(window.tokens).toBe(countCharacters(window.text));
          expect(window.tokens).toBeLessThanOrEqual(limit);
          expect(window.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test('begin at the start of a word where there are words', () => {
    const words = Array.from({ length: 90 }, (_, n) => `word${n}`);
    const windows = textWindows(words.join(' '), 25, countWords);
    expect(windows.flatMap(({ text }) => text.trim().split(' '))).toEqual(words);
    for (const { tokens } of windows) expect(tokens).toBeGreaterThan(20);
  });

  test('a text within the limit, an empty one too, is one window', () => {
    expect(textWindows('one two', 2, countWords)).toEqual([{ text: 'one two', tokens: 2 }]);
    expect(textWindows('', 2, countWords)).toEqual([{ text: '', tokens: 0 }]);
  });
});

describe('batches of texts', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });

  test('keep the order, and within both limits unless one text alone is over', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 8 }), (tokens, texts) => {
        const windows = tokens.map((count, n) => ({ text: `t${n}`, tokens: count }));
        const batches = batchesOf(windows, { texts, tokens: 40 });
        expect(batches.flat()).toEqual(windows);
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(texts);
          const sum = batch.reduce((total, window) => total + window.tokens, 0);
          expect(batch.length === 1 || sum <= 40).toBe(true);
        }
      }),
    );
  });

  test('are as full as they can be', () => {
    const windows = [20, 20, 1, 40, 5, 5].map((tokens, n) => ({ text: `t${n}`, tokens }));
    const full = batchesOf(windows, { texts: 3, tokens: 40 }).map((batch) => batch.map(({ tokens }) => tokens));
    expect(full).toEqual([[20, 20], [1], [40], [5, 5]]);
  });
});
