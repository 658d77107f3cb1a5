import type { estypes } from '@elastic/elasticsearch';
import type { Access } from '../../../domain/contracts/access.ts';
import { IndexError } from '../port.ts';
import type { Hit, SearchQuery } from '../port.ts';
import type { Term } from '../question-terms.ts';
import { bm25Query } from './bm25-query.ts';
import { toItemError } from './elasticsearch-errors.ts';
import { searchableBy } from './filters.ts';
import type { Query } from './query.ts';
import type { Store } from './store.ts';

export interface LegHit extends Hit {
  documentKey: string;
  versionKey: string;
}

export interface LegHits {
  bm25: LegHit[];
  knn: LegHit[];
}

export interface Exclusions {
  /** Version key to the key of its document. */
  versions: Map<string, string>;
  /** Keys of documents. */
  documents: Set<string>;
}

interface LegsInput {
  query: SearchQuery;
  /** Hits wanted of each leg. */
  size: number;
  terms: Term[];
  excluded: Exclusions;
}

/** Identifying fields come from the columns of the index: the source, with its texts and vectors, is not read. */
const fields = ['passageId', 'documentId', 'documentKey', 'versionKey'];

/**
 * How many neighbours a segment's graph is searched for: more than are asked for, since each hop only sees the quantised vectors.
 * A filter that leaves fewer passages than this is answered exactly, without the graph.
 */
const leastNeighbours = 200;
const mostNeighbours = 10_000;

/** Both legs in one request, best first, ties by passage id. */
export async function runLegs(
  store: Store,
  access: Access,
  { query, size, terms, excluded }: LegsInput,
): Promise<LegHits> {
  const filter = [...searchableBy(access, query), ...exclusionFilter(excluded)];
  const legs = {
    bm25: terms.length > 0 ? { query: bm25Query(terms, filter) } : null,
    knn: query.vector === null ? null : { knn: knnQuery(query.vector, size, filter) },
  };
  const header = { index: store.alias.passages, routing: access.tenant, allow_partial_search_results: false };
  const present = [legs.bm25, legs.knn].filter((leg) => leg !== null);
  if (present.length === 0) return { bm25: [], knn: [] };
  const { responses } = await store.client.msearch({
    searches: present.flatMap((leg) => [
      header,
      { ...leg, size, _source: false, docvalue_fields: fields, track_total_hits: false },
    ]),
  });
  const answers = responses.map(hitsOf);
  const bm25 = legs.bm25 === null ? [] : (answers.shift() ?? []);
  return { bm25, knn: (answers.shift() ?? []).map((hit) => ({ ...hit, score: cosine(hit.score) })) };
}

function knnQuery(vector: Float32Array, size: number, filter: Query[]): estypes.KnnSearch {
  return {
    field: 'embedding',
    query_vector: Array.from(vector),
    k: size,
    num_candidates: Math.min(mostNeighbours, Math.max(leastNeighbours, 2 * size)),
    // The nearest by quantised vectors are scored by the exact ones.
    rescore_vector: { oversample: 1 },
    filter,
  };
}

function exclusionFilter({ versions, documents }: Exclusions): Query[] {
  const excluded = [
    ...(versions.size > 0 ? [{ terms: { versionKey: [...versions.keys()] } }] : []),
    ...(documents.size > 0 ? [{ terms: { documentKey: [...documents] } }] : []),
  ];
  return excluded.length > 0 ? [{ bool: { must_not: excluded } }] : [];
}

function hitsOf(response: estypes.MsearchResponseItem<unknown>): LegHit[] {
  if ('error' in response) throw toItemError(response.status, response.error.type);
  if (response.timed_out || response._shards.failed > 0) throw toItemError(503, 'partial_answer');
  return response.hits.hits
    .map((hit): LegHit => ({
      passageId: fieldOf(hit, 'passageId'),
      documentId: fieldOf(hit, 'documentId'),
      documentKey: fieldOf(hit, 'documentKey'),
      versionKey: fieldOf(hit, 'versionKey'),
      score: hit._score ?? 0,
    }))
    .sort((a, b) => b.score - a.score || (a.passageId < b.passageId ? -1 : 1));
}

function fieldOf(hit: estypes.SearchHit, name: string): string {
  const [value]: unknown[] = (hit.fields?.[name] as unknown[] | undefined) ?? [];
  if (typeof value === 'string') return value;
  throw new IndexError('corrupt', `Elasticsearch: a passage has no ${name}`, { retryable: false });
}

/** Elasticsearch scores by (1 + cosine) / 2, because Lucene's scores may not be negative. */
function cosine(score: number): number {
  return 2 * score - 1;
}
