import { ModelError, type PairScorer } from '../../adapters/models/port.ts';

/** One score a pair, in order. @throws ModelError `bad_model` when the scorer does not give one score a pair */
export async function scorePairs(
  scorer: PairScorer,
  pairs: { first: string; second: string }[],
  signal: AbortSignal,
): Promise<number[]> {
  const scores = await scorer.score(pairs, signal);
  if (scores.length === pairs.length) return scores;
  throw new ModelError('bad_model', `${scorer.id} gave ${scores.length} scores for ${pairs.length} pairs`, {
    retryable: false,
  });
}

/** What a scorer may give; anything else tells nothing. */
export function inRange(score: number): boolean {
  return score >= 0 && score <= 1;
}
