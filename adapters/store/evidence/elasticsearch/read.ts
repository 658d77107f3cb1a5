import type { Client } from '@elastic/elasticsearch';
import type { StoredPassage } from '../../../index/port.ts';
import { unpackPassage } from '../passage-codec.ts';
import { statusError } from './elasticsearch-errors.ts';
import { type Indices, keyOf, type StoredPassageDocument } from './indices.ts';

export interface Store {
  client: Client;
  indices: Indices;
}

const idsAtOnce = 200;

export async function get(store: Store, tenant: string, ids: string[]): Promise<StoredPassage[]> {
  const keys = ids.map((id) => keyOf(tenant, id));
  const found = await readMany<StoredPassageDocument>(store, store.indices.passages, keys);
  return found.flatMap((document) => {
    if (document === null) return [];
    const { passage, vector, stripVectors } = document;
    const packed = { body: passage.body, vector: bytes(vector), stripVectors: bytes(stripVectors) };
    return [unpackPassage(packed, passage.head)];
  });
}

/** In the order of the keys, in real time; null for what is not there or has expired. */
export async function readMany<T extends { expiresAt: string }>(
  { client }: Pick<Store, 'client'>,
  index: string,
  keys: string[],
): Promise<(T | null)[]> {
  const now = Date.now();
  const found: (T | null)[] = [];
  for (let start = 0; start < keys.length; start += idsAtOnce) {
    const { docs } = await client.mget<T>({ index, ids: keys.slice(start, start + idsAtOnce) });
    for (const doc of docs) {
      if ('error' in doc) throw statusError(500, doc.error.type);
      const source = doc._source;
      found.push(doc.found && source && Date.parse(source.expiresAt) > now ? source : null);
    }
  }
  return found;
}

function bytes(base64: string | null): Uint8Array | null {
  return base64 === null ? null : Buffer.from(base64, 'base64');
}
