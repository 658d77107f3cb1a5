import { createLocalEmbedding } from '../../adapters/models/local/index.ts';
import { ensureEmbeddingModel } from '../../launcher/embedding-model.ts';
import type { EmbeddingModelFiles } from '../../launcher/embedding-model.ts';
import { loadSettings } from '../../launcher/settings.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';

/** Where PLUMBLINE_MODEL_DIR or the cache has the real model; fetched once where neither has. */
export function modelFiles(): Promise<EmbeddingModelFiles> {
  return ensureEmbeddingModel(loadSettings(process.env));
}

export async function openModel(threads: number): Promise<EmbeddingModel> {
  const { modelPath, tokenizerPath } = await modelFiles();
  return createLocalEmbedding({ modelPath, tokenizerPath, threads });
}

/** Cosine of two vectors of unit length. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new RangeError('no vector');
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? Number.NaN), 0);
}
