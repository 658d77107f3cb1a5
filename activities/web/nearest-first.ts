import type { EvidenceRef } from '../../domain/contracts/evidence.ts';
import { cosine } from '../../domain/rules/relevance.ts';
import type { KeptOrigin } from '../kept-passage-id.ts';
import { reference } from '../reference.ts';
import type { KeptPassage } from './keep-pages.ts';

/** Passages as references, nearest to the question first. */
export function nearestFirst(kept: KeptPassage[], vector: Float32Array, origin: KeptOrigin): EvidenceRef[] {
  return kept
    .map(({ page, passage }) => ({ page, passage, similarity: cosine(vector, passage.vector) }))
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ page, passage, similarity }) =>
      reference({ ...passage, title: page.title, uri: page.url }, similarity, { readAt: page.fetchedAt, origin }),
    );
}
