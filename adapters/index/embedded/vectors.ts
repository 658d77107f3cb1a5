import { checkVector } from '../unit-vector.ts';

/**
 * A vector as sqlite-vec takes it: float32, little endian.
 * @throws IndexError `mapping` for another length than the index has, `rejected` for a vector that is not of unit length
 */
export function vectorBytes(vector: Float32Array, dimensions: number): Uint8Array {
  checkVector(vector, dimensions);
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** From a BLOB as stored; copied, because SQLite's bytes need not be aligned. */
export function vectorFromBytes(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
