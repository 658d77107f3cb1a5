import { randomUUID } from 'node:crypto';
import { IndexError } from '../port.ts';
import { isConflict } from './elasticsearch-errors.ts';
import type { Store } from './store.ts';

/** A lock that this process holds. */
export interface Lock {
  /** @throws IndexError `locked` when another process has taken it over */
  renew(): Promise<void>;
  release(): Promise<void>;
}

interface LockSource {
  owner: string;
  renewals: { count: number };
}

type Condition = { if_seq_no: number; if_primary_term: number };

/** What a waiting process remembers of somebody else's lock. */
export interface SeenLock {
  seqNo: number;
  since: number;
}

/**
 * Takes the lock if it is free, or if it has not been renewed for `leaseMs` since `seen`. The time is measured on this side only, so
 * that clocks need not agree.
 * @returns the lock, or what was seen of another process's
 */
export async function tryLock(
  store: Store,
  id: string,
  { leaseMs, seen }: { leaseMs: number; seen: SeenLock | null },
): Promise<Lock | SeenLock> {
  const document: LockSource = { owner: randomUUID(), renewals: { count: 0 } };
  const { docs } = await store.patient.mget<LockSource>({ index: store.alias.locks, ids: [id] });
  const [found] = docs;
  const present = found && 'found' in found && found.found ? found : null;
  const now = performance.now();
  const seqNo = present?._seq_no ?? -1;
  if (present) {
    if (seen?.seqNo !== seqNo) return { seqNo, since: now };
    if (now - seen.since < leaseMs) return seen;
  }
  try {
    const condition = present ? { if_seq_no: seqNo, if_primary_term: present._primary_term ?? -1 } : null;
    return held(store, { id, document, condition: await write(store, { id, document, condition }) });
  } catch (error) {
    if (isConflict(error)) return { seqNo: -1, since: now };
    throw error;
  }
}

export function isLock(value: Lock | SeenLock): value is Lock {
  return 'release' in value;
}

async function write(
  store: Store,
  { id, document, condition }: { id: string; document: LockSource; condition: Condition | null },
): Promise<Condition> {
  const { _seq_no = -1, _primary_term = -1 } = await store.patient.index({
    index: store.alias.locks,
    id,
    document,
    require_alias: true,
    ...(condition ?? { op_type: 'create' }),
  });
  return { if_seq_no: _seq_no, if_primary_term: _primary_term };
}

function held(store: Store, first: { id: string; document: LockSource; condition: Condition }): Lock {
  let { condition } = first;
  const { id, document } = first;
  return {
    renew: async () => {
      document.renewals.count += 1;
      condition = await write(store, { id, document, condition }).catch((error: unknown) => {
        throw isConflict(error) ? lost() : error;
      });
    },
    release: async () => {
      await store.patient.delete({ index: store.alias.locks, id, ...condition }).catch((error: unknown) => {
        if (!isConflict(error)) throw error;
      });
    },
  };
}

function lost(): IndexError {
  return new IndexError('locked', 'Elasticsearch: another process has taken over building the index anew', {
    retryable: true,
  });
}
