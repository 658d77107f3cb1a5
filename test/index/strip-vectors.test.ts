import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bestCosine, packVectors, unpackVectors } from '../../adapters/index/strip-vectors.ts';

const size = 384;
const unitVector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
  .filter((values) => Math.hypot(...values) > 0.01)
  .map((values) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });

test('strip vectors come back in order, of unit length, each component within half a step', () => {
  fc.assert(
    fc.property(fc.array(unitVector, { maxLength: 4 }), (vectors) => {
      const packed = packVectors(vectors, size);
      expect(packed.byteLength).toBe(vectors.length * size);
      const read = unpackVectors(packed, size);
      expect(read).toHaveLength(vectors.length);
      for (const [n, vector] of vectors.entries()) {
        const step = Math.max(...vector.map(Math.abs)) / 127;
        const back = read[n] ?? new Float32Array();
        expect(Math.hypot(...back)).toBeCloseTo(1, 5);
        // Half a step from rounding; the rest from bringing the length back to 1.
        expect(Math.max(...vector.map((value, i) => Math.abs(value - (back[i] ?? NaN))))).toBeLessThan(
          step * 0.75 + 1e-6,
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('cosines computed from strip vectors are off by less than 0.002', () => {
  fc.assert(
    fc.property(unitVector, unitVector, (question, strip) => {
      const [back] = unpackVectors(packVectors([strip], size), size);
      expect(Math.abs(cosine(question, strip) - cosine(question, back ?? new Float32Array(size)))).toBeLessThan(0.002);
    }),
  );
});

test('the best cosine of packed vectors is that of the nearest unpacked one, wherever in its buffer the blob begins', () => {
  fc.assert(
    fc.property(unitVector, fc.array(unitVector, { minLength: 1, maxLength: 4 }), (question, strips) => {
      const packed = packVectors(strips, size);
      const shifted = new Uint8Array(packed.byteLength + 3);
      shifted.set(packed, 3);
      const best = Math.max(...unpackVectors(packed, size).map((strip) => cosine(question, strip)));
      expect(bestCosine(shifted.subarray(3), question)).toBeCloseTo(best, 5);
    }),
    { numRuns: 50 },
  );
  expect(bestCosine(new Uint8Array(), new Float32Array(size))).toBeNull();
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
