import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { meanRow, tokenWindows, weightedMean } from '../../adapters/models/local/windows.ts';

/** Words of one to six pieces, as the tokenizer gives them. */
const tokens = fc
  .array(fc.integer({ min: 1, max: 6 }), { maxLength: 200 })
  .map((words) => words.flatMap((size) => Array.from({ length: size }, (_, at) => (at === 0 ? 'word' : '##part'))))
  .map((pieces) => ({ pieces, ids: pieces.map((_, index) => index) }));

describe('windows over the tokens of a long text', () => {
  test('hold every token once, in order, and never more than the limit', () => {
    fc.assert(
      fc.property(tokens, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const windows = tokenWindows(text, limit);
        expect(windows.flat()).toEqual(text.ids);
        for (const window of windows) expect(window.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('begin at the start of a word, as long as words are shorter than half a window', () => {
    fc.assert(
      fc.property(tokens, fc.integer({ min: 24, max: 60 }), (text, limit) => {
        for (const [first] of tokenWindows(text, limit)) {
          if (first !== undefined) expect(text.pieces[first]).toBe('word');
        }
      }),
    );
  });

  test('are of nearly equal length, so that no window is a few stray tokens', () => {
    const pieces = Array.from({ length: 510 }, () => 'word');
    const windows = tokenWindows({ pieces, ids: pieces.map((_, index) => index) }, 508);
    expect(windows.map((window) => window.length)).toEqual([255, 255]);
  });

  test('cut inside a word that is longer than a window', () => {
    const pieces = ['word', ...Array.from({ length: 24 }, () => '##part')];
    const windows = tokenWindows({ pieces, ids: pieces.map((_, index) => index) }, 10);
    expect(windows.map((window) => window.length)).toEqual([9, 8, 8]);
  });

  test('an empty text is one empty window', () => {
    expect(tokenWindows({ ids: [], pieces: [] }, 508)).toEqual([[]]);
  });
});

describe('means', () => {
  test('of rows has unit length and the direction of their sum', () => {
    const mean = meanRow(Float32Array.of(3, 0, 0, 0, 4, 0), 3);
    expect([...mean].map((value) => Math.round(value * 1000) / 1000)).toEqual([0.6, 0.8, 0]);
  });

  test('of window vectors is weighted by tokens', () => {
    const parts = [
      { vector: Float32Array.of(1, 0), tokens: 300 },
      { vector: Float32Array.of(0, 1), tokens: 400 },
    ];
    const mean = weightedMean(parts);
    expect(mean[0]).toBeCloseTo(0.6, 6);
    expect(mean[1]).toBeCloseTo(0.8, 6);
  });

  test('of a single window is that window’s vector', () => {
    const vector = Float32Array.of(0.6, 0.8);
    expect(weightedMean([{ vector, tokens: 0 }])).toBe(vector);
  });
});
