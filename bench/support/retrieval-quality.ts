import { rankHits } from '../../activities/rank-passages.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Fusion } from '../../domain/contracts/fusion.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import type { JudgedCorpus } from './judged-corpus.ts';
import { ndcg, recall } from './ranking-metrics.ts';
import { mean } from './statistics.ts';
import { access } from './take-in.ts';

const asOf = '2026-01-01';
const weights = { bm25: 1, knn: 1 };

/** What is shown beside the policy's own. */
const plainFusions: { ranking: string; fusion: Fusion }[] = [
  { ranking: 'RRF', fusion: { method: 'rrf', rankConstant: 60, weights } },
  { ranking: 'convex', fusion: { method: 'convex', weights } },
];

/** A question as a run's first steps would search it. */
export async function searchQuery(embedding: EmbeddingModel, question: string, retrieval: Policy['retrieval']) {
  const { searchText: text, identifiers } = analyseQuestion(question);
  const vector = await embedding.embedQuery(text);
  return { text, identifiers, vector, candidates: retrieval.candidates, statuses: retrieval.statuses, asOf };
}

export interface Quality {
  ranking: string;
  ndcg10: number;
  recall20: number;
}

/**
 * Means over all queries of nDCG@10 and recall@20, for each leg and for their fusions. A document stands where its best passage stands.
 * The fusion of the policy has the name `fused`, the others that of their method.
 */
export async function retrievalQuality(
  { index, embedding }: { index: IndexPort; embedding: EmbeddingModel },
  corpus: JudgedCorpus,
  retrieval: Policy['retrieval'],
): Promise<Quality[]> {
  const fusions = [...plainFusions, { ranking: 'fused', fusion: retrieval.fusion }];
  const scores = ['BM25', 'kNN', ...fusions.map(({ ranking }) => ranking)].map((ranking) => ({
    ranking,
    ndcg10: [] as number[],
    recall20: [] as number[],
  }));
  for (const { text, judgements } of corpus.queries) {
    const query = await searchQuery(embedding, text, retrieval);
    const hits = await index.search(access, query);
    const fused = fusions.map(({ fusion }) => rankHits(index, access, { hits, query, fusion }));
    const rankings = [hits.bm25, hits.knn, ...(await Promise.all(fused)).map(({ ranked }) => ranked)];
    const documentOf = new Map([...hits.bm25, ...hits.knn].map((hit) => [hit.passageId, hit.documentId]));
    for (const [at, ranking] of rankings.entries()) {
      const documents = [...new Set(ranking.map(({ passageId }) => documentOf.get(passageId) ?? ''))];
      scores[at]?.ndcg10.push(ndcg(documents, judgements, 10));
      scores[at]?.recall20.push(recall(documents, judgements, 20));
    }
  }
  return scores.map(({ ranking, ndcg10, recall20 }) => ({ ranking, ndcg10: mean(ndcg10), recall20: mean(recall20) }));
}
