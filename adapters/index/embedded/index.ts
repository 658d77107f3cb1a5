import { IndexError } from '../port.ts';
import type { IndexPort } from '../port.ts';
import { firstEmbeddingModel } from '../vector-origin.ts';
import type { Database } from './database.ts';
import * as documents from './documents.ts';
import { openDatabase } from './open-database.ts';
import { compare, passages } from './passages.ts';
import { search } from './search.ts';
import { toIndexError } from './sqlite-errors.ts';
import { missingPassages, stagePassages } from './staging.ts';
import * as versions from './versions.ts';

export interface EmbeddedIndexOptions {
  /** Made if it is not there; its folder must be. */
  file: string;
  /** Length of every vector. */
  dimensions: number;
  /** Whose vectors they are, as `EmbeddingModel.id`. */
  model?: string;
  /** How long a call waits for another process's lock before it fails `locked`, in milliseconds; it blocks this thread. */
  busyTimeoutMs?: number;
}

/**
 * The index in one SQLite file: FTS5 for BM25 (a table per tenant) and sqlite-vec for exact nearest neighbours (tenant as partition
 * key). Good to about 100,000 passages a tenant. Several processes may open the file; one writes at a time.
 * @throws IndexError `corrupt`, `locked`, `mapping` or `unavailable` when the file cannot be used
 */
export async function createEmbeddedIndex({
  file,
  dimensions,
  model = firstEmbeddingModel,
  busyTimeoutMs = 1500,
}: EmbeddedIndexOptions): Promise<IndexPort> {
  const database = await guarded(() => openDatabase({ file, vectors: { model, dimensions }, busyTimeoutMs }));
  return {
    kind: 'embedded',
    search: (access, query) => guarded(() => search(database, access, query)),
    passages: (access, ids, options) =>
      guarded(() => passages(database, access, { ids, vectors: options?.vectors ?? false })),
    compare: (access, ids, question) => guarded(() => compare(database, access, { ids, question })),
    liveVersion: (tenant, documentId) => guarded(() => versions.liveVersion(database, tenant, documentId)),
    beginVersion: (version) => guarded(() => versions.beginVersion(database, version)),
    missingPassages: (version, ids) => guarded(() => missingPassages(database, version, ids)),
    stagePassages: (version, staged) => guarded(() => stagePassages(database, version, staged)),
    publishVersion: (version) => guarded(() => versions.publishVersion(database, version)),
    discardVersion: (version) => guarded(() => versions.discardVersion(database, version)),
    document: (access, documentId) => guarded(() => documents.document(database, access, documentId)),
    documentText: (access, documentId) => guarded(() => documents.documentText(database, access, documentId)),
    listDocuments: (access, filter) => guarded(() => documents.listDocuments(database, access, filter)),
    updateMetadata: (tenant, documentId, metadata) =>
      guarded(() => documents.updateMetadata(database, { tenant, documentId }, metadata)),
    deleteDocument: (tenant, documentId) => guarded(() => documents.deleteDocument(database, tenant, documentId)),
    counts: (access) => guarded(() => documents.counts(database, access)),
    health: () =>
      guarded(() => health(database)).catch((error: unknown) => {
        if (error instanceof IndexError) return { ok: false, detail: error.message };
        throw error;
      }),
    close: () => guarded(() => database.close()),
  };
}

/** Whether the file can be read, and what reads it. Not an integrity check: that would read the whole file. */
function health(database: Database): { ok: boolean; detail: string } {
  const row = database.get(
    'SELECT sqlite_version() AS sqlite, vec_version() AS vec, EXISTS (SELECT 1 FROM versions) AS used',
  );
  return { ok: true, detail: `SQLite ${String(row?.sqlite)}, sqlite-vec ${String(row?.vec)}` };
}

async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toIndexError(error);
  }
}
