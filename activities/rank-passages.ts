import type { IndexPort, SearchHits, SearchQuery } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Fusion } from '../domain/contracts/fusion.ts';
import { fuse, type RankedHit } from '../domain/rules/fusion.ts';
import { vectorsApply } from '../domain/rules/relevance.ts';
import { rescore } from '../domain/rules/rescore.ts';
import { detectLanguage } from '../domain/text/language.ts';

/** For a question whose words alone tell something: the vectors then get no more say than by their leg's ranks. */
const byRanks = { method: 'rrf', rankConstant: 60, weights: { bm25: 1, knn: 1 } } as const;

export interface Ranking {
  /** Best first. */
  ranked: RankedHit[];
  /** Hits that were replaced, deleted or closed to the asker before they could be compared with the question. */
  gone: number;
}

/** Searches both legs under the asker's permissions and makes one ranking of their hits. */
export async function rankPassages(
  index: IndexPort,
  access: Access,
  { query, fusion }: { query: SearchQuery; fusion: Fusion },
): Promise<Ranking> {
  const hits = await index.search(access, query);
  return rankHits(index, access, { hits, query, fusion });
}

/** The same for hits that have been found already. */
export async function rankHits(
  index: IndexPort,
  access: Access,
  { hits, query, fusion }: { hits: SearchHits; query: SearchQuery; fusion: Fusion },
): Promise<Ranking> {
  if (fusion.method !== 'rescore') return { ranked: fuse(hits, fusion), gone: 0 };
  if (query.vector === null || !vectorsApply(detectLanguage(query.text))) {
    return { ranked: fuse(hits, byRanks), gone: 0 };
  }
  const ids = [...new Set([...hits.bm25, ...hits.knn].map(({ passageId }) => passageId))];
  const candidates = await index.compare(access, ids, query.vector);
  return {
    ranked: rescore(hits, { question: query.vector, candidates }, fusion),
    gone: ids.length - candidates.length,
  };
}
