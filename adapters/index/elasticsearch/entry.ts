import type { StoredDocument, VersionKey } from '../port.ts';

export type DocumentId = Pick<VersionKey, 'tenant' | 'documentId'>;

/** A version as its document's entry knows it; `passages` counts from its publication on. */
export type RegisteredVersion = Omit<StoredDocument, 'documentId'>;

/**
 * All versions of one document. The entry is one document of Elasticsearch, written only on the condition that it has not changed since it
 * was read: whatever happens to a document happens to it in one step. Read in real time, it alone says what is live and who may read it.
 */
export interface Entry extends DocumentId {
  live: RegisteredVersion | null;
  /** When the live version became so, in milliseconds since 1970; 0 before that. */
  publishedAt: number;
  staged: RegisteredVersion[];
  /** Versions whose passages and text may still be there. */
  retired: string[];
}

/** An entry that was read, with the name of the write that made it so. */
export interface KnownEntry {
  write: string;
  entry: Entry;
}
