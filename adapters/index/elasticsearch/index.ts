import { IndexError } from '../port.ts';
import type { IndexPort } from '../port.ts';
import { firstEmbeddingModel } from '../vector-origin.ts';
import { connect } from './connect.ts';
import * as documents from './documents.ts';
import { toIndexError } from './elasticsearch-errors.ts';
import { health } from './health.ts';
import { noEntries } from './known-entries.ts';
import { compare, passages } from './passages.ts';
import { prepareIndices } from './prepare-indices.ts';
import { indexNames } from './schema.ts';
import { search } from './search.ts';
import { missingPassages, stagePassages } from './staging.ts';
import type { Store } from './store.ts';
import { updateMetadata } from './update-metadata.ts';
import * as versions from './versions.ts';

export interface ElasticsearchIndexOptions {
  /** http or https; may hold a user and password. */
  url: string;
  apiKey?: string | undefined;
  /** PEM file of the authority that signed the server's certificate. */
  caPath?: string | undefined;
  /** Lower case; all indices and templates begin with it and a hyphen. */
  indexPrefix?: string;
  /** Length of every vector. */
  dimensions: number;
  /** Whose vectors they are, as `EmbeddingModel.id`. */
  model?: string;
  /** For what somebody waits for; writes have longer. Below the 3 s that a retrieval may take. */
  requestTimeoutMs?: number;
  /** How long a process that builds an index anew may be silent before another takes over. */
  rebuildLeaseMs?: number;
}

/** For bulk requests of 5 MB, scans and refreshes. */
const patientTimeoutMs = 30_000;

/**
 * The index in Elasticsearch 9 or newer; needs no paid licence. The key needs, on indices of the prefix, `manage`, `read` and `write`, and on the cluster
 * `monitor` and `manage_index_templates`. A document's word statistics are those of its shard, other tenants' passages included:
 * BM25 scores are comparable within one leg only, as the port says.
 * @throws IndexError that says what to check: unreachable, not Elasticsearch, too old, credentials refused, other vectors
 */
export async function createElasticsearchIndex({
  url,
  apiKey,
  caPath,
  indexPrefix = 'plumbline',
  dimensions,
  model = firstEmbeddingModel,
  requestTimeoutMs = 2_500,
  rebuildLeaseMs = 60_000,
}: ElasticsearchIndexOptions): Promise<IndexPort> {
  const patient = await connect({ url, apiKey, caPath, requestTimeoutMs: patientTimeoutMs });
  const alias = Object.fromEntries(indexNames.map((name) => [name, `${indexPrefix}-${name}`])) as Store['alias'];
  const client = patient.child({ requestTimeout: requestTimeoutMs });
  const store: Store = { client, patient, alias, known: noEntries(), dimensions, model };
  try {
    await prepareIndices(store, { leaseMs: rebuildLeaseMs });
  } catch (error) {
    await patient.close();
    throw toIndexError(error);
  }
  return portOf(store);
}

function portOf(store: Store): IndexPort {
  let closed = false;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new IndexError('unavailable', 'the index is closed', { retryable: false });
    try {
      return await work();
    } catch (error) {
      throw toIndexError(error);
    }
  };
  return {
    kind: 'elasticsearch',
    search: (access, query) => guarded(() => search(store, access, query)),
    passages: (access, ids, options) =>
      guarded(() => passages(store, access, { ids, vectors: options?.vectors ?? false })),
    compare: (access, ids, question) => guarded(() => compare(store, access, { ids, question })),
    liveVersion: (tenant, documentId) => guarded(() => versions.liveVersion(store, tenant, documentId)),
    beginVersion: (version) => guarded(() => versions.beginVersion(store, version)),
    missingPassages: (version, ids) => guarded(() => missingPassages(store, version, ids)),
    stagePassages: (version, staged) => guarded(() => stagePassages(store, version, staged)),
    publishVersion: (version) => guarded(() => versions.publishVersion(store, version)),
    discardVersion: (version) => guarded(() => versions.discardVersion(store, version)),
    document: (access, documentId) => guarded(() => documents.document(store, access, documentId)),
    documentText: (access, documentId) => guarded(() => documents.documentText(store, access, documentId)),
    listDocuments: (access, filter) => guarded(() => documents.listDocuments(store, access, filter)),
    updateMetadata: (tenant, documentId, metadata) =>
      guarded(() => updateMetadata(store, { tenant, documentId }, metadata)),
    deleteDocument: (tenant, documentId) => guarded(() => documents.deleteDocument(store, { tenant, documentId })),
    counts: (access) => guarded(() => documents.counts(store, access)),
    health: () =>
      guarded(() => health(store)).catch((error: unknown) => {
        if (error instanceof IndexError) return { ok: false, detail: error.message };
        throw error;
      }),
    close: async () => {
      closed = true;
      await store.patient.close();
    },
  };
}
