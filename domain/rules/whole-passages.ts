import type { EvidenceRef, Grade, KeptStrip } from '../contracts/evidence.ts';

/** Least number of UTF-16 code units that a token of the embedding model stands for in ordinary prose: an upper bound for the count of tokens. */
const charactersPerToken = 2;

/** Passages as one strip each, best first, as many as surely fit the budget: what there is to answer from when refining failed. */
export function wholePassages(evidence: { ref: EvidenceRef; grade: Grade }[], contextTokens: number): KeptStrip[] {
  let left = contextTokens * charactersPerToken;
  const kept: KeptStrip[] = [];
  for (const { ref, grade } of evidence) {
    if (ref.end - ref.start > left) continue;
    left -= ref.end - ref.start;
    const { id: evidenceId, documentId, start, end } = ref;
    kept.push({ evidenceId, documentId, start, end, score: grade.score ?? 0, aspects: grade.aspects });
  }
  return kept;
}
