import { setTimeout } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { IndexError } from '../port.ts';
import { writeBulk } from './bulk.ts';
import type { BulkOperation } from './bulk.ts';
import { isLock, tryLock } from './lock.ts';
import type { Lock, SeenLock } from './lock.ts';
import { rebuiltPassage } from './passage-source.ts';
import type { PassageSource } from './passage-source.ts';
import { describeIndex, numberOf, numberedIndex } from './physical-index.ts';
import type { PhysicalIndex } from './physical-index.ts';
import { scan } from './scan.ts';
import type { IndexName } from './schema.ts';
import type { Store } from './store.ts';

interface RebuildInput {
  /** Of the mapping that the index shall have. */
  hash: string;
  leaseMs: number;
  putTemplate: () => Promise<void>;
}

const pollMs = 500;
const lastSearchesMs = 5_000;
/** How long a process waits at its start for another one that rebuilds. */
const maxWaitMs = 600_000;

/**
 * Copies an index into a new one with the present mapping and moves the alias in one step. Searches go on against the old index
 * all the while. Writes to it are blocked from before the copy until the alias has moved, so that none can be lost: they fail as
 * `unavailable` and retryable, also in processes that run an older Plumbline. Returns when the index is as wanted and takes writes, whoever
 * has done it.
 * @throws IndexError `unavailable` when another process takes longer than ten minutes
 */
export async function rebuildIndex(store: Store, name: IndexName, input: RebuildInput): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  let seen: SeenLock | null = null;
  while (performance.now() < deadline) {
    const lock = await tryLock(store, name, { leaseMs: input.leaseMs, seen });
    if (isLock(lock)) return underLock(store, name, { ...input, lock });
    seen = lock;
    await setTimeout(pollMs);
    const present = await describeIndex(store, name);
    if (present?.mark.hash === input.hash && !present.blocked) return;
  }
  const message = `Elasticsearch: another process is building ${store.alias[name]} anew; try again later`;
  throw new IndexError('unavailable', message, { retryable: true });
}

async function underLock(store: Store, name: IndexName, input: RebuildInput & { lock: Lock }): Promise<void> {
  try {
    // Another process may have done it before the lock was ours.
    const old = await describeIndex(store, name);
    if (old && old.mark.hash !== input.hash) await rebuild(store, name, { ...input, old });
    else if (old?.blocked) await allowWrites(store, old.index);
  } finally {
    await input.lock.release();
  }
}

async function rebuild(
  store: Store,
  name: IndexName,
  { old, lock, hash, putTemplate }: RebuildInput & { lock: Lock; old: PhysicalIndex },
): Promise<void> {
  const { indices } = store.patient;
  const alias = store.alias[name];
  const target = numberedIndex(alias, numberOf(old.index) + 1);
  await putTemplate();
  await removeOthers(store, name, old.index);
  await indices.create({ index: target });
  try {
    // Returns once writes that were under way are done.
    await indices.addBlock({ index: old.index, block: 'write' });
    await copy(store, name, { from: old.index, to: target, lock });
    await lock.renew();
    await indices.updateAliases({
      actions: [{ add: { index: target, alias } }, { remove: { index: old.index, alias } }],
    });
  } catch (error) {
    await allowWrites(store, old.index);
    throw error;
  }
  const built = await describeIndex(store, name);
  if (built?.mark.hash !== hash) throw damaged(`${target} did not take the mapping of its template`);
  // Searches that had found the old index behind the alias may finish.
  await setTimeout(lastSearchesMs);
  await removeOthers(store, name, target);
}

/** Indices without the alias: the one just replaced, and what rebuilds that were cut short have left. */
async function removeOthers(store: Store, name: IndexName, kept: string): Promise<void> {
  const all = Object.keys(await store.patient.indices.get({ index: `${store.alias[name]}-v*`, features: ['aliases'] }));
  const others = all.filter((index) => index !== kept);
  if (others.length > 0) await store.patient.indices.delete({ index: others, ignore_unavailable: true });
}

async function copy(
  store: Store,
  name: IndexName,
  { from, to, lock }: { from: string; to: string; lock: Lock },
): Promise<void> {
  const { patient } = store;
  await patient.indices.refresh({ index: from });
  for await (const page of scan<object>(store, { index: from, query: { match_all: {} }, withSource: true })) {
    await writeBulk(store, { index: to }, operations(name, page));
    await lock.renew();
  }
  await patient.indices.refresh({ index: to });
  const [before, after] = await Promise.all([patient.count({ index: from }), patient.count({ index: to })]);
  if (before.count !== after.count) throw damaged(`${to} holds ${after.count} of ${before.count} documents`);
}

function* operations(name: IndexName, page: estypes.SearchHit<object>[]): Generator<BulkOperation> {
  for (const { _id = '', _routing, _source = {} } of page) {
    const source = name === 'passages' ? rebuiltPassage(_source as PassageSource) : _source;
    yield { action: { index: { _id, ...(_routing === undefined ? {} : { routing: _routing }) } }, source };
  }
}

async function allowWrites(store: Store, index: string): Promise<void> {
  await store.patient.indices.putSettings({ index, settings: { 'index.blocks.write': null } });
}

function damaged(message: string): IndexError {
  return new IndexError('unavailable', `Elasticsearch: ${message}`, { retryable: true });
}
