import { LRUCache } from 'lru-cache';
import { toItemError } from './elasticsearch-errors.ts';
import type { Entry } from './entry.ts';
import { readEntries, writeOf } from './registry.ts';
import type { Store } from './store.ts';

/** Some ten megabytes, if they are all there. */
const mostKnown = 10_000;

export function noEntries(): Store['known'] {
  return new LRUCache({ max: mostKnown });
}

/**
 * By document key; null for what is not there. In real time: Elasticsearch is asked for the last write of each, which takes a quarter of
 * the time that the entries take, and these only where they have been written since they were last read.
 */
export async function currentEntries(store: Store, keys: string[]): Promise<(Entry | null)[]> {
  if (keys.length === 0) return [];
  const { docs } = await store.client.mget({ index: store.alias.documents, ids: keys, _source: false });
  const writes = docs.map((doc) => {
    if ('error' in doc) throw toItemError(500, doc.error.type);
    return doc.found ? writeOf(doc) : null;
  });
  const changed = keys.filter((key, n) => writes[n] && store.known.get(key)?.write !== writes[n]);
  const read = new Map<string, Entry | null>();
  for (const [n, found] of (await readEntries(store, changed)).entries()) {
    const key = changed[n] ?? '';
    read.set(key, found?.entry ?? null);
    if (found) store.known.set(key, { write: found.write, entry: found.entry });
  }
  return keys.map((key, n) => {
    if (!writes[n]) return null;
    return read.has(key) ? (read.get(key) ?? null) : (store.known.get(key)?.entry ?? null);
  });
}
