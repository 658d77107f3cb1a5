/**
 * Normalised discounted cumulative gain of the first `depth` ids, as trec_eval's `ndcg_cut`: the gain is the judgement itself, the discount
 * log2(rank + 1), the ideal the best order of all judged ids (Järvelin and Kekäläinen, 2002).
 */
export function ndcg(ranking: string[], judgements: Map<string, number>, depth: number): number {
  const ideal = discounted([...judgements.values()].sort((a, b) => b - a).slice(0, depth));
  return ideal === 0 ? 0 : discounted(ranking.slice(0, depth).map((id) => judgements.get(id) ?? 0)) / ideal;
}

/** Share of the relevant ids (judged above 0) among the first `depth`. */
export function recall(ranking: string[], judgements: Map<string, number>, depth: number): number {
  const relevant = [...judgements].filter(([, judgement]) => judgement > 0).map(([id]) => id);
  const first = new Set(ranking.slice(0, depth));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
}

function discounted(gains: number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}
