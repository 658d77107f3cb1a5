import type { Fusion } from '../contracts/fusion.ts';
import { bestFirst, minMax, type Legs, type RankedHit } from './fusion.ts';
import { cosine } from './relevance.ts';

export type RescoreOptions = Extract<Fusion, { method: 'rescore' }>;

/** What is known of a hit beside its score in a leg. */
export interface Candidate {
  passageId: string;
  /** Of unit length. */
  vector: Float32Array;
  /** Cosine of the question and the passage's strip that is nearest to it. */
  bestStrip: number;
}

/**
 * One ranking of the candidates, best first, scores from 0 to 1. A hit's score is the weighted mean of
 * - its BM25 score as a share of the best one, 0 if that leg did not return it;
 * - the cosine of question and passage, whichever leg returned it;
 * - the cosine of question and best strip: a passage about several things answers by one sentence;
 * - the cosine with the mean vector of the `feedbackPassages` first by the three above, which finds passages that speak of the same thing in other
 *   words than the question (pseudo-relevance feedback: Rocchio, 1971; on dense vectors: Yu, Xiong, Callan, CIKM 2021).
 * Cosines are min-max normalised over the candidates. Forms and weights were chosen by measurement, see docs/decisions/0009.
 */
export function rescore(
  legs: Legs,
  { question, candidates }: { question: Float32Array; candidates: Candidate[] },
  { weights, feedbackPassages }: RescoreOptions,
): RankedHit[] {
  if (candidates.length === 0) return [];
  const bm25 = new Map(legs.bm25.map(({ passageId, score }) => [passageId, score]));
  const bestBm25 = Math.max(0, ...bm25.values());
  const words = candidates.map(({ passageId }) => (bestBm25 === 0 ? 0 : (bm25.get(passageId) ?? 0) / bestBm25));
  const passages = minMax(candidates.map(({ vector }) => cosine(question, vector)));
  const strips = minMax(candidates.map(({ bestStrip }) => bestStrip));
  const sums = candidates.map(
    (_, n) => weights.bm25 * (words[n] ?? 0) + weights.knn * (passages[n] ?? 0) + weights.strip * (strips[n] ?? 0),
  );
  const vectorOf = new Map(candidates.map(({ passageId, vector }) => [passageId, vector]));
  const first = bestFirst(ranked(candidates, sums)).slice(0, feedbackPassages);
  const mean = sum(first.flatMap(({ passageId }) => vectorOf.get(passageId) ?? []));
  const alike = minMax(candidates.map(({ vector }) => cosine(mean, vector)));
  const whole = weights.bm25 + weights.knn + weights.strip + weights.feedback;
  return bestFirst(
    ranked(
      candidates,
      sums.map((value, n) => (value + weights.feedback * (alike[n] ?? 0)) / whole),
    ),
  );
}

function ranked(candidates: Candidate[], scores: number[]): RankedHit[] {
  return candidates.map(({ passageId }, n) => ({ passageId, score: scores[n] ?? 0 }));
}

/** As good as the mean where only the order of cosines counts. */
function sum(vectors: Float32Array[]): Float32Array {
  const total = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((value, at) => (total[at] = (total[at] ?? 0) + value));
  return total;
}
