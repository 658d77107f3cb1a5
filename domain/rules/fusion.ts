import type { Fusion } from '../contracts/fusion.ts';

export interface RankedHit {
  passageId: string;
  score: number;
}

/** Hits of both legs, best first. */
export interface Legs {
  bm25: RankedHit[];
  knn: RankedHit[];
}

export type RankFusion = Exclude<Fusion, { method: 'rescore' }>;

/**
 * One ranking out of both legs, best first; ties are broken by id so that the order is stable.
 * `rrf`: sum of weight / (rankConstant + rank), rank from 1 (Cormack, Clarke, Büttcher, SIGIR 2009).
 * `convex`: weighted sum of min-max normalised scores, 0 for a passage that a leg did not return (Bruch, Gai, Ingber, TOIS 2023).
 */
export function fuse(legs: Legs, options: RankFusion): RankedHit[] {
  const totals = new Map<string, number>();
  for (const leg of ['bm25', 'knn'] as const) {
    const parts = options.method === 'rrf' ? reciprocalRanks(legs[leg], options.rankConstant) : normalised(legs[leg]);
    for (const { passageId, score } of parts) {
      totals.set(passageId, (totals.get(passageId) ?? 0) + options.weights[leg] * score);
    }
  }
  return bestFirst([...totals].map(([passageId, score]) => ({ passageId, score })));
}

/** Ties by id. */
export function bestFirst(hits: RankedHit[]): RankedHit[] {
  return hits.toSorted((a, b) => b.score - a.score || (a.passageId < b.passageId ? -1 : 1));
}

/** The least becomes 0, the greatest 1; all 1 when they are equal. */
export function minMax(values: number[]): number[] {
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return values.map((value) => (range === 0 ? 1 : (value - low) / range));
}

function reciprocalRanks(hits: RankedHit[], rankConstant: number): RankedHit[] {
  return hits.map(({ passageId }, index) => ({ passageId, score: 1 / (rankConstant + index + 1) }));
}

function normalised(hits: RankedHit[]): RankedHit[] {
  const scores = minMax(hits.map(({ score }) => score));
  return hits.map(({ passageId }, index) => ({ passageId, score: scores[index] ?? 0 }));
}
