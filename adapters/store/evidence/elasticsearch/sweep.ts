import { writeBulk } from './bulk.ts';
import type { Store } from './read.ts';

const atOnce = 500;

/** Removes what has expired; each only as it was found, since a page may have been read again meanwhile. Gives the number of pages. */
export async function sweep(store: Store): Promise<number> {
  const now = new Date().toISOString();
  await sweepIndex(store, store.indices.passages, now);
  return sweepIndex(store, store.indices.pages, now);
}

async function sweepIndex({ client }: Store, index: string, now: string): Promise<number> {
  for (let swept = 0; ;) {
    await client.indices.refresh({ index });
    const { hits } = await client.search({
      index,
      query: { range: { expiresAt: { lte: now } } },
      size: atOnce,
      _source: false,
      seq_no_primary_term: true,
      allow_partial_search_results: false,
    });
    const deletes = hits.hits.flatMap(({ _id, _seq_no: if_seq_no, _primary_term: if_primary_term }) =>
      _id === undefined || if_seq_no === undefined || if_primary_term === undefined
        ? []
        : [{ action: { delete: { _id, if_seq_no, if_primary_term } } }],
    );
    await writeBulk(client, index, deletes);
    swept += deletes.length;
    if (deletes.length < atOnce) return swept;
  }
}
