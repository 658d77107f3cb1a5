import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Analysis } from '../domain/contracts/question.ts';

/** Query vectors of the aspects, in order. The model keeps recent queries, so that grade and refine pay once. */
export async function embedAspects(
  embedding: EmbeddingModel,
  analysis: Analysis,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  return Promise.all(analysis.aspects.map((aspect) => embedding.embedQuery(aspect.text, signal)));
}
