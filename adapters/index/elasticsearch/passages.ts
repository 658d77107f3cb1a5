import type { Access } from '../../../domain/contracts/access.ts';
import type { StoredPassage } from '../port.ts';
import { unpackVectors } from '../strip-vectors.ts';
import { mayRead, readableBy } from './filters.ts';
import { versionKey } from './keys.ts';
import { vectorFrom } from './passage-source.ts';
import type { PassageSource } from './passage-source.ts';
import { currentEntries } from './known-entries.ts';
import type { RegisteredVersion } from './entry.ts';
import type { Store } from './store.ts';

type Found = Pick<PassageSource, 'documentKey' | 'versionKey' | 'stored' | 'vector' | 'stripVectors'>;

const idsAtOnce = 500;

/** In the order of `ids`, without those that the asker may not read; the registry decides what is live and who may. */
export async function passages(
  store: Store,
  access: Access,
  { ids, vectors }: { ids: string[]; vectors: boolean },
): Promise<StoredPassage[]> {
  const wanted = [...new Set(ids)];
  const found: Found[] = [];
  for (let start = 0; start < wanted.length; start += idsAtOnce) {
    found.push(...(await lookUp(store, access, { ids: wanted.slice(start, start + idsAtOnce), vectors })));
  }
  const documents = [...new Set(found.map((source) => source.documentKey))];
  const entries = await currentEntries(store, documents);
  const live = new Map<string, RegisteredVersion>();
  for (const entry of entries) {
    if (!entry?.live || !mayRead(access, entry.live.metadata)) continue;
    live.set(versionKey({ ...entry, version: entry.live.version }), entry.live);
  }
  const byId = new Map(
    found.flatMap((source) => {
      const version = live.get(source.versionKey);
      return version ? [[source.stored.id, toPassage(source, version, { store, vectors })]] : [];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** An id may be there in several versions at once while one replaces another. */
async function lookUp(
  store: Store,
  access: Access,
  { ids, vectors }: { ids: string[]; vectors: boolean },
): Promise<Found[]> {
  const { hits } = await store.client.search<Found>({
    index: store.alias.passages,
    routing: access.tenant,
    query: { bool: { filter: [...readableBy(access), { terms: { passageId: ids } }] } },
    size: 10_000,
    sort: ['_doc'],
    track_total_hits: false,
    allow_partial_search_results: false,
    _source: ['documentKey', 'versionKey', 'stored', ...(vectors ? ['vector', 'stripVectors'] : [])],
  });
  return hits.hits.flatMap(({ _source }) => _source ?? []);
}

function toPassage(
  { stored, vector, stripVectors }: Found,
  { metadata }: RegisteredVersion,
  { store, vectors }: { store: Store; vectors: boolean },
): StoredPassage {
  return {
    ...stored,
    title: metadata.title,
    uri: metadata.uri,
    metadata,
    vector: vectors ? vectorFrom(vector) : null,
    stripVectors: vectors ? unpackVectors(Buffer.from(stripVectors, 'base64'), store.dimensions) : null,
  };
}
