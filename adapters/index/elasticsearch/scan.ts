import type { estypes } from '@elastic/elasticsearch';
import type { Query } from './query.ts';
import type { Store } from './store.ts';

const keepAlive = '2m';
const pageSize = 250;

export interface ScanOptions {
  index: string;
  query: Query;
  /** Without it hits come without their source. */
  withSource?: boolean;
  /** Keyword fields to read from the index, which is cheaper than the source. */
  fields?: string[];
}

/**
 * All hits of one state of the index, in pages of at most 250; each with its sequence number, for conditional writes. What fits on one page
 * needs one request; more is read at a point in time.
 */
export async function* scan<T>(
  { patient }: Pick<Store, 'patient'>,
  { index, query, withSource = false, fields = [] }: ScanOptions,
): AsyncGenerator<estypes.SearchHit<T>[]> {
  const request = {
    query,
    size: pageSize,
    seq_no_primary_term: true,
    track_total_hits: false,
    allow_partial_search_results: false,
    _source: withSource,
    docvalue_fields: fields,
  };
  const only = await patient.search<T>({ ...request, index, sort: ['_doc'] });
  if (only.hits.hits.length < pageSize) {
    if (only.hits.hits.length > 0) yield only.hits.hits;
    return;
  }
  let { id } = await patient.openPointInTime({ index, keep_alive: keepAlive });
  try {
    let after: estypes.SortResults | undefined;
    for (;;) {
      const page: estypes.SearchResponse<T> = await patient.search<T>({
        ...request,
        pit: { id, keep_alive: keepAlive },
        sort: ['_shard_doc'],
        ...(after ? { search_after: after } : {}),
      });
      id = page.pit_id ?? id;
      const { hits } = page.hits;
      if (hits.length > 0) yield hits;
      if (hits.length < pageSize) return;
      after = hits.at(-1)?.sort;
    }
  } finally {
    await patient.closePointInTime({ id });
  }
}
