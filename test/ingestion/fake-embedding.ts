import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { stems } from '../../domain/text/words.ts';

export const dimensions = 32;

/** Bags of hashed stems as unit vectors. Notes every text it embeds in `log`, so that a test can count across processes; waits `delayMs` a call. */
export function fakeEmbedding({ log, delayMs = 0 }: { log?: string; delayMs?: number } = {}): EmbeddingModel {
  return {
    id: 'test/bag-of-stems',
    dimensions,
    maxTokens: 512,
    embedQuery: (text) => Promise.resolve(vectorOf(text)),
    async embedPassages(texts, signal) {
      await sleep(delayMs, undefined, signal ? { signal } : {});
      if (log !== undefined) appendFileSync(log, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
      return texts.map(vectorOf);
    },
    countTokens: (text) => Math.ceil(text.split(/\s+/).filter(Boolean).length * 1.3),
    close: () => Promise.resolve(),
  };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const stem of stems(text)) {
    let hash = 0;
    for (let i = 0; i < stem.length; i++) hash = (hash * 31 + stem.charCodeAt(i)) | 0;
    const slot = (hash >>> 3) % dimensions;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
