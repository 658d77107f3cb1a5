import { rankHits } from '../../activities/rank-passages.ts';
import type { IndexPort, SearchHits } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { searchQuery } from './retrieval-quality.ts';
import { elapsed } from './statistics.ts';
import { access } from './take-in.ts';

type BareSearch = (query: { text: string; vector: Float32Array; candidates: number }) => Promise<void>;

const warmUp = 50;

export interface SearchTimes {
  ours: number[];
  /** Making one ranking of the hits. */
  ranking: number[];
  bare: number[];
}

/**
 * Milliseconds of a search and of ranking its hits, the question's vector being known, one search at a time; and of the bare search, if
 * there is one, taken in turns so that all see the same machine.
 */
export async function searchTimes(
  { index, embedding }: { index: IndexPort; embedding: EmbeddingModel },
  questions: { text: string }[],
  { retrieval, bare }: { retrieval: Policy['retrieval']; bare: BareSearch | null },
): Promise<SearchTimes> {
  const queries = [];
  for (const { text } of questions) queries.push(await searchQuery(embedding, text, retrieval));
  const times: SearchTimes = { ours: [], ranking: [], bare: [] };
  const { fusion } = retrieval;
  for (const query of [...queries.slice(0, warmUp), ...queries]) {
    let hits: SearchHits = { bm25: [], knn: [] };
    times.ours.push(await elapsed(async () => (hits = await index.search(access, query))));
    times.ranking.push(await elapsed(() => rankHits(index, access, { hits, query, fusion })));
    if (bare) times.bare.push(await elapsed(() => bare(query)));
  }
  const measured = (all: number[]) => all.slice(warmUp);
  return { ours: measured(times.ours), ranking: measured(times.ranking), bare: measured(times.bare) };
}
