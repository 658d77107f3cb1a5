import { versionKey } from './keys.ts';
import { changeEntry, readEntry } from './registry.ts';
import type { DocumentId } from './entry.ts';
import { remainsOf, remove, textsOf } from './remains.ts';
import type { Remain } from './remains.ts';
import type { Store } from './store.ts';

/**
 * Removes what is left of retired versions, and of the suspects: passages and texts of those neither live nor staged, staged
 * passages of those not staged. Nobody sees these any more, so that it may run at any time and beside others: the entry is read
 * again after the remains were looked up, and each is removed only if it has not been written since.
 */
export async function sweep(store: Store, id: DocumentId, suspects: string[] = []): Promise<void> {
  const { alias } = store;
  const before = await readEntry(store, id);
  const retired = before?.entry.retired ?? [];
  const live = before?.entry.live?.version;
  const all = keysOf(id, [...retired, ...suspects]);
  const old = keysOf(
    id,
    [...retired, ...suspects].filter((version) => version !== live),
  );
  const passages = await remainsOf(store, alias.passages, old);
  const staged = await remainsOf(store, alias.staging, all);
  const texts = await textsOf(store, old);

  const now = (await readEntry(store, id))?.entry;
  const open = keysOf(id, now?.staged.map(({ version }) => version) ?? []);
  const kept = [...open, ...keysOf(id, now?.live ? [now.live.version] : [])];
  const notIn = (keys: string[]) => (remain: Remain) => !keys.includes(remain.versionKey);
  await remove(store, { alias: alias.staging }, staged.filter(notIn(open)));
  await remove(store, { alias: alias.texts }, texts.filter(notIn(kept)));
  await remove(store, { alias: alias.passages, routing: id.tenant }, passages.filter(notIn(kept)));
  if (passages.length > 0) await store.patient.indices.refresh({ index: alias.passages });
  if (retired.length === 0) return;
  await changeEntry(
    store,
    id,
    (entry) => entry && { ...entry, retired: entry.retired.filter((version) => !retired.includes(version)) },
  );
}

function keysOf(id: DocumentId, versions: string[]): string[] {
  return [...new Set(versions)].map((version) => versionKey({ ...id, version }));
}
