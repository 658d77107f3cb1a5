export interface RankedHit {
  passageId: string;
  score: number;
}

export interface FusionOptions {
  method: 'rrf' | 'convex';
  rankConstant: number;
  weights: { bm25: number; knn: number };
}

/**
 * One ranking out of both legs, best first; ties are broken by id so that the order is stable.
 * `rrf`: sum of weight / (rankConstant + rank), rank from 1 (Cormack, Clarke, Büttcher, SIGIR 2009).
 * `convex`: weighted sum of min-max normalised scores, 0 for a passage that a leg did not return (Bruch, Gai, Ingber, TOIS 2023).
 */
export function fuse(legs: { bm25: RankedHit[]; knn: RankedHit[] }, options: FusionOptions): RankedHit[] {
  const totals = new Map<string, number>();
  for (const leg of ['bm25', 'knn'] as const) {
    const parts = options.method === 'rrf' ? reciprocalRanks(legs[leg], options.rankConstant) : minMax(legs[leg]);
    for (const { passageId, score } of parts) {
      totals.set(passageId, (totals.get(passageId) ?? 0) + options.weights[leg] * score);
    }
  }
  return [...totals]
    .map(([passageId, score]) => ({ passageId, score }))
    .sort((a, b) => b.score - a.score || (a.passageId < b.passageId ? -1 : 1));
}

function reciprocalRanks(hits: RankedHit[], rankConstant: number): RankedHit[] {
  return hits.map((hit, index) => ({ passageId: hit.passageId, score: 1 / (rankConstant + index + 1) }));
}

function minMax(hits: RankedHit[]): RankedHit[] {
  const scores = hits.map((hit) => hit.score);
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return hits.map((hit) => ({ passageId: hit.passageId, score: range === 0 ? 1 : (hit.score - low) / range }));
}
