import type { EmbeddedPassage, VersionKey } from '../port.ts';
import { checkVector } from '../unit-vector.ts';
import { writeBulk } from './bulk.ts';
import type { BulkOperation } from './bulk.ts';
import { toItemError } from './elasticsearch-errors.ts';
import { passageKey } from './keys.ts';
import { stagedSource } from './passage-source.ts';
import { notStaged, readEntry } from './registry.ts';
import type { Store } from './store.ts';

const idsAtOnce = 1000;

export async function missingPassages(store: Store, key: VersionKey, ids: string[]): Promise<string[]> {
  const found = await readEntry(store, key);
  const isLive = found?.entry.live?.version === key.version;
  const isStaged = found?.entry.staged.some(({ version }) => version === key.version) ?? false;
  if (!isLive && !isStaged) return ids;
  const missing: string[] = [];
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const batch = ids.slice(start, start + idsAtOnce);
    const present = await arePresent(
      store,
      batch.map((id) => passageKey(key, id)),
      isLive ? key.tenant : null,
    );
    missing.push(...batch.filter((_, n) => !present[n]));
  }
  return missing;
}

/** In real time: what was acknowledged is seen. With a tenant among the live passages, else among the staged ones. */
async function arePresent(store: Store, ids: string[], tenant: string | null): Promise<boolean[]> {
  const where = tenant === null ? { index: store.alias.staging } : { index: store.alias.passages, routing: tenant };
  const { docs } = await store.client.mget({ ...where, ids, _source: false });
  return docs.map((doc) => {
    if ('error' in doc) throw toItemError(500, doc.error.type);
    return doc.found;
  });
}

/** Staged passages are only stored. They are analysed and indexed once, when the version is published. */
export async function stagePassages(store: Store, key: VersionKey, passages: EmbeddedPassage[]): Promise<void> {
  for (const { vector, stripVectors } of passages) {
    for (const each of [vector, ...stripVectors]) checkVector(each, store.dimensions);
  }
  const found = await readEntry(store, key);
  if (!found?.entry.staged.some(({ version }) => version === key.version)) throw notStaged();
  await writeBulk(store, { alias: store.alias.staging }, operations(key, passages));
}

function* operations(key: VersionKey, passages: EmbeddedPassage[]): Generator<BulkOperation> {
  for (const passage of passages) {
    yield { action: { index: { _id: passageKey(key, passage.id) } }, source: stagedSource(key, passage) };
  }
}
