import { setTimeout } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import { foldText } from '../../../domain/text/normalise.ts';
import { IndexError } from '../port.ts';
import { isConflict, toItemError } from './elasticsearch-errors.ts';
import type { DocumentId, Entry } from './entry.ts';
import { filterFields } from './filters.ts';
import { documentKey } from './keys.ts';
import type { Store } from './store.ts';

/** An entry as read, with what a conditional write needs. */
export interface ReadEntry {
  entry: Entry;
  condition: { if_seq_no: number; if_primary_term: number };
  /** Names the write that made the entry so. */
  write: string;
}

/** Among other fields. */
interface RegistrySource {
  entry: Entry;
}

const maxAttempts = 15;

export async function readEntry(store: Store, { tenant, documentId }: DocumentId): Promise<ReadEntry | null> {
  const [found] = await readEntries(store, [documentKey(tenant, documentId)]);
  return found ?? null;
}

/** By document key; null for what is not there. In real time. */
export async function readEntries(store: Store, keys: string[]): Promise<(ReadEntry | null)[]> {
  if (keys.length === 0) return [];
  const { docs } = await store.client.mget<RegistrySource>({
    index: store.alias.documents,
    ids: keys,
  });
  return docs.map(toReadEntry);
}

function toReadEntry(doc: estypes.MgetResponseItem<RegistrySource>): ReadEntry | null {
  if ('error' in doc) throw toItemError(500, doc.error.type);
  if (!doc.found || doc._source === undefined) return null;
  return {
    entry: doc._source.entry,
    condition: { if_seq_no: doc._seq_no ?? -1, if_primary_term: doc._primary_term ?? -1 },
    write: writeOf(doc),
  };
}

/** No two writes of a document have the same number in the same term of the same index. */
export function writeOf({
  _index,
  _seq_no,
  _primary_term,
}: Pick<estypes.GetGetResult, '_index' | '_seq_no' | '_primary_term'>): string {
  return `${_index} ${_seq_no} ${_primary_term}`;
}

/**
 * Changes an entry in one step, again from the start when somebody else was first.
 * @param change the new entry from the present one (null: none is there); null leaves it as it is
 * @returns the entry before the change
 * @throws IndexError `locked` when others keep being first
 */
export async function changeEntry(
  store: Store,
  id: DocumentId,
  change: (entry: Entry | null) => Entry | null,
): Promise<Entry | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const present = await readEntry(store, id);
    const next = change(present?.entry ?? null);
    if (next === null || (await replaceEntry(store, next, present))) return present?.entry ?? null;
    await setTimeout(Math.random() * 10 * attempt);
  }
  throw new IndexError('locked', 'Elasticsearch: other processes keep changing this document', { retryable: true });
}

/** One conditional write; an entry without any version is removed. False when somebody else was first. */
export async function replaceEntry(store: Store, next: Entry, present: ReadEntry | null): Promise<boolean> {
  const index = store.alias.documents;
  const id = documentKey(next.tenant, next.documentId);
  const empty = next.live === null && next.staged.length === 0 && next.retired.length === 0;
  try {
    if (present === null) {
      await store.patient.create({ index, id, document: toSource(next), require_alias: true });
    } else if (empty) {
      await store.patient.delete({ index, id, ...present.condition });
    } else {
      await store.patient.index({ index, id, ...present.condition, document: toSource(next), require_alias: true });
    }
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** With fields to filter and list by, of the live version; without one, nobody finds it. */
function toSource(entry: Entry): object {
  const { tenant, documentId, live } = entry;
  if (live === null) return { tenant, documentId, live: false, entry };
  return {
    tenant,
    documentId,
    live: true,
    ...filterFields(live.metadata),
    passages: live.passages,
    search: searchText(live.metadata, documentId),
    entry,
  };
}

function searchText(metadata: DocumentMetadata, documentId: string): string {
  return foldText(`${metadata.title}\n${documentId}`);
}

export function notStaged(): IndexError {
  return new IndexError(
    'rejected',
    'the version is not being ingested: begin it first, or it was discarded or deleted',
    { retryable: false },
  );
}
