import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sharedRuns } from '../../adapters/models/local/shared-runs.ts';

test('short texts of like length share a run, at most eight', () => {
  expect(sharedRuns([20, 30, 19, 28])).toEqual([
    [1, 3],
    [0, 2],
  ]);
  expect(sharedRuns(Array.from({ length: 20 }, () => 12)).map(({ length }) => length)).toEqual([8, 8, 4]);
});

test('longer texts run alone', () => {
  expect(sharedRuns([64, 65, 65, 64, 300])).toEqual([[4], [1], [2], [0, 3]]);
});

test('every text runs once, and fills at least three quarters of the longest of its run', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), (tokens) => {
      const runs = sharedRuns(tokens);
      expect(runs.flat().sort((a, b) => a - b)).toEqual(tokens.map((_, index) => index));
      for (const run of runs) {
        const lengths = run.map((index) => tokens[index] ?? NaN);
        expect(run.length).toBeLessThanOrEqual(8);
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0.75 * Math.max(...lengths));
        if (run.length > 1) expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
      }
    }),
  );
});
