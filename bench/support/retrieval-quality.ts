import type { IndexPort, SearchHits } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { fuse, type FusionOptions } from '../../domain/rules/fusion.ts';
import type { JudgedCorpus } from './judged-corpus.ts';
import { ndcg, recall } from './ranking-metrics.ts';
import { mean } from './statistics.ts';
import { access } from './take-in.ts';

const asOf = '2026-01-01';

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
  const rankings = rankingsOf(retrieval.fusion);
  const scores = rankings.map(({ ranking }) => ({ ranking, ndcg10: [] as number[], recall20: [] as number[] }));
  for (const { text, judgements } of corpus.queries) {
    const hits = await index.search(access, await searchQuery(embedding, text, retrieval));
    for (const [at, { rank }] of rankings.entries()) {
      const documents = [...new Set(rank(hits))];
      scores[at]?.ndcg10.push(ndcg(documents, judgements, 10));
      scores[at]?.recall20.push(recall(documents, judgements, 20));
    }
  }
  return scores.map(({ ranking, ndcg10, recall20 }) => ({ ranking, ndcg10: mean(ndcg10), recall20: mean(recall20) }));
}

function rankingsOf(policy: FusionOptions): { ranking: string; rank: (hits: SearchHits) => string[] }[] {
  const convex: FusionOptions = { method: 'convex', rankConstant: 60, weights: { bm25: 1, knn: 1 } };
  const rrf: FusionOptions = { method: 'rrf', rankConstant: 60, weights: { bm25: 1, knn: 1 } };
  return [
    { ranking: 'BM25', rank: ({ bm25 }) => bm25.map(({ documentId }) => documentId) },
    { ranking: 'kNN', rank: ({ knn }) => knn.map(({ documentId }) => documentId) },
    { ranking: 'RRF', rank: (hits) => fusedDocuments(hits, rrf) },
    { ranking: 'convex', rank: (hits) => fusedDocuments(hits, convex) },
    { ranking: 'fused', rank: (hits) => fusedDocuments(hits, policy) },
  ];
}

function fusedDocuments(hits: SearchHits, fusion: FusionOptions): string[] {
  const documentOf = new Map([...hits.bm25, ...hits.knn].map(({ passageId, documentId }) => [passageId, documentId]));
  return fuse(hits, fusion).map(({ passageId }) => documentOf.get(passageId) ?? '');
}
