/**
 * Strip vectors as stored: one int8 per dimension, the largest component of each vector being ±127. Their length is lost and known
 * to be 1. A component is off by at most half a step of largest / 127; a cosine computed from 384 of them by less than 0.002.
 */
export function packVectors(vectors: Float32Array[], dimensions: number): Uint8Array {
  const packed = new Int8Array(dimensions * vectors.length);
  for (const [n, vector] of vectors.entries()) {
    const step = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
    packed.set(
      vector.map((value) => Math.round(value / step)),
      n * dimensions,
    );
  }
  return new Uint8Array(packed.buffer);
}

/** The vectors again, of unit length. */
export function unpackVectors(packed: Uint8Array, dimensions: number): Float32Array[] {
  return Array.from({ length: packed.byteLength / dimensions }, (_, n) => {
    const components = new Int8Array(packed.buffer, packed.byteOffset + n * dimensions, dimensions);
    const length = Math.sqrt(components.reduce((sum, value) => sum + value * value, 0));
    return Float32Array.from(components, (value) => value / length);
  });
}

/** The highest cosine of a unit vector and any of the packed ones; null when there are none. They are not unpacked, since a search compares hundreds. */
export function bestCosine(packed: Uint8Array, question: Float32Array): number | null {
  const dimensions = question.length;
  const components = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  let best: number | null = null;
  for (let start = 0; start < components.length; start += dimensions) {
    let product = 0;
    let square = 0;
    for (let at = 0; at < dimensions; at++) {
      const component = components[start + at]!;
      product += component * question[at]!;
      square += component * component;
    }
    const cosine = product / Math.sqrt(square);
    if (best === null || cosine > best) best = cosine;
  }
  return best;
}
