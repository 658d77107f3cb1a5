import type { IndexPort } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { searchQuery } from './retrieval-quality.ts';
import { elapsed } from './statistics.ts';
import { access } from './take-in.ts';

type BareSearch = (query: { text: string; vector: Float32Array; candidates: number }) => Promise<void>;

const warmUp = 50;

/**
 * Milliseconds of a search, the question's vector being known, one search at a time; and of the bare one, if there is one, taken in turns
 * so that both see the same machine.
 */
export async function searchTimes(
  { index, embedding }: { index: IndexPort; embedding: EmbeddingModel },
  questions: { text: string }[],
  { retrieval, bare }: { retrieval: Policy['retrieval']; bare: BareSearch | null },
): Promise<{ ours: number[]; bare: number[] }> {
  const queries = [];
  for (const { text } of questions) queries.push(await searchQuery(embedding, text, retrieval));
  const times = { ours: [] as number[], bare: [] as number[] };
  for (const query of [...queries.slice(0, warmUp), ...queries]) {
    times.ours.push(await elapsed(() => index.search(access, query)));
    if (bare) times.bare.push(await elapsed(() => bare(query)));
  }
  return { ours: times.ours.slice(warmUp), bare: times.bare.slice(warmUp) };
}
