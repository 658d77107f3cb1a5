import type { VectorAnswer } from './answers.ts';
import type { ProviderRequest } from './request.ts';

/**
 * Bags of hashed words, so that texts with the same words are near; not of unit length, as some servers' are not. As long as the request
 * wishes, `own` without a wish.
 */
export function embedWords({ inputs, body }: ProviderRequest, own = 64): VectorAnswer {
  const wish = body['dimensions'];
  const length = typeof wish === 'number' ? wish : own;
  return { vectors: inputs.map((text) => vectorOf(text, length)) };
}

function vectorOf(text: string, length: number): number[] {
  const vector = Array.from({ length }, () => 0.25);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0;
    for (const point of word) hash = (hash * 31 + (point.codePointAt(0) ?? 0)) | 0;
    const slot = (hash >>> 3) % length;
    vector[slot] = (vector[slot] ?? 0) + 3;
  }
  return vector;
}
