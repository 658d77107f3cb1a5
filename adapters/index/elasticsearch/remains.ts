import type { estypes } from '@elastic/elasticsearch';
import { writeBulk } from './bulk.ts';
import type { BulkOperation } from './bulk.ts';
import { toItemError } from './elasticsearch-errors.ts';
import { scan } from './scan.ts';
import type { Store } from './store.ts';

/** Something stored that belongs to a version, as it was when it was looked up. */
export interface Remain {
  id: string;
  versionKey: string;
  condition: { if_seq_no: number; if_primary_term: number };
}

/** What an index holds of these versions. */
export async function remainsOf(store: Store, index: string, versionKeys: string[]): Promise<Remain[]> {
  if (versionKeys.length === 0) return [];
  await store.patient.indices.refresh({ index });
  const found: Remain[] = [];
  const query = { terms: { versionKey: versionKeys } };
  for await (const page of scan(store, { index, query, fields: ['versionKey'] })) {
    for (const hit of page) {
      const [key]: unknown[] = (hit.fields?.versionKey as unknown[] | undefined) ?? [];
      found.push(toRemain(hit, String(key)));
    }
  }
  return found;
}

export async function textsOf(store: Store, versionKeys: string[]): Promise<Remain[]> {
  if (versionKeys.length === 0) return [];
  const { docs } = await store.patient.mget({ index: store.alias.texts, ids: versionKeys, _source: false });
  return docs.flatMap((doc) => {
    if ('error' in doc) throw toItemError(500, doc.error.type);
    return doc.found ? [toRemain(doc, doc._id)] : [];
  });
}

/** Removes each unless it has been written again since it was looked up. */
export async function remove(
  store: Store,
  { alias, routing }: { alias: string; routing?: string },
  remains: Remain[],
): Promise<void> {
  const operations = remains.map(({ id, condition }): BulkOperation => {
    const header = { _id: id, ...(routing === undefined ? {} : { routing }), ...condition };
    return { action: { delete: header }, accept: [404, 409] };
  });
  await writeBulk(store, { alias }, operations);
}

export function toRemain(
  { _id = '', _seq_no = -1, _primary_term = -1 }: Pick<estypes.SearchHit, '_id' | '_seq_no' | '_primary_term'>,
  versionKey: string,
): Remain {
  return { id: _id, versionKey, condition: { if_seq_no: _seq_no, if_primary_term: _primary_term } };
}
