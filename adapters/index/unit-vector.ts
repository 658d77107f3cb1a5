import { IndexError } from './port.ts';

const tolerance = 0.01;

/** @throws IndexError `mapping` for another length than the index has, `rejected` for a vector that is not of unit length */
export function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new IndexError('mapping', `a vector has ${vector.length} dimensions, the index ${dimensions}`, {
      retryable: false,
    });
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // Also catches NaN.
  if (!(Math.abs(length - 1) < tolerance)) {
    throw new IndexError('rejected', `a vector has length ${length}, not 1`, { retryable: false });
  }
}
