import type { Access } from '../../../domain/contracts/access.ts';
import type { ComparedPassage, StoredPassage } from '../port.ts';
import { comparedPassage } from '../compared-passage.ts';
import { unpackVectors } from '../strip-vectors.ts';
import { checkVector } from '../unit-vector.ts';
import { mayRead, readableBy } from './filters.ts';
import { versionKey } from './keys.ts';
import { vectorFrom } from './passage-source.ts';
import type { PassageSource } from './passage-source.ts';
import { currentEntries } from './known-entries.ts';
import type { RegisteredVersion } from './entry.ts';
import type { Store } from './store.ts';

type Found = Pick<PassageSource, 'documentKey' | 'versionKey' | 'stored' | 'vector' | 'stripVectors'>;
type FoundVectors = Pick<PassageSource, 'documentKey' | 'versionKey' | 'passageId' | 'vector' | 'stripVectors'>;

const keys = ['documentKey', 'versionKey'];

const idsAtOnce = 500;

/** In the order of `ids`, without those that the asker may not read; the registry decides what is live and who may. */
export async function passages(
  store: Store,
  access: Access,
  { ids, vectors }: { ids: string[]; vectors: boolean },
): Promise<StoredPassage[]> {
  const fields = [...keys, 'stored', ...(vectors ? ['vector', 'stripVectors'] : [])];
  const found = await lookUp<Found>(store, access, { ids, fields });
  const live = await liveVersions(store, access, found);
  const byId = new Map(
    found.flatMap((source) => {
      const version = live.get(source.versionKey);
      return version ? [[source.stored.id, toPassage(source, version, { store, vectors })]] : [];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function compare(
  store: Store,
  access: Access,
  { ids, question }: { ids: string[]; question: Float32Array },
): Promise<ComparedPassage[]> {
  checkVector(question, store.dimensions);
  const fields = [...keys, 'passageId', 'vector', 'stripVectors'];
  const found = await lookUp<FoundVectors>(store, access, { ids, fields });
  const live = await liveVersions(store, access, found);
  return found
    .filter(({ versionKey: key }) => live.has(key))
    .map(({ passageId, vector, stripVectors }) => {
      const vectors = { vector: vectorFrom(vector), packed: Buffer.from(stripVectors, 'base64') };
      return comparedPassage(passageId, vectors, question);
    });
}

/** By version key, of those that the asker may read: the registry decides. */
async function liveVersions(
  store: Store,
  access: Access,
  found: { documentKey: string }[],
): Promise<Map<string, RegisteredVersion>> {
  const entries = await currentEntries(store, [...new Set(found.map(({ documentKey }) => documentKey))]);
  const live = new Map<string, RegisteredVersion>();
  for (const entry of entries) {
    if (!entry?.live || !mayRead(access, entry.live.metadata)) continue;
    live.set(versionKey({ ...entry, version: entry.live.version }), entry.live);
  }
  return live;
}

/** An id may be there in several versions at once while one replaces another. */
async function lookUp<Source>(
  store: Store,
  access: Access,
  { ids, fields }: { ids: string[]; fields: string[] },
): Promise<Source[]> {
  const wanted = [...new Set(ids)];
  const found: Source[] = [];
  for (let start = 0; start < wanted.length; start += idsAtOnce) {
    const { hits } = await store.client.search<Source>({
      index: store.alias.passages,
      routing: access.tenant,
      query: {
        bool: { filter: [...readableBy(access), { terms: { passageId: wanted.slice(start, start + idsAtOnce) } }] },
      },
      size: 10_000,
      sort: ['_doc'],
      track_total_hits: false,
      allow_partial_search_results: false,
      _source: fields,
    });
    found.push(...hits.hits.flatMap(({ _source }) => _source ?? []));
  }
  return found;
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
