import { readFile } from 'node:fs/promises';
import { Client } from '@elastic/elasticsearch';
import { EvidenceError, type EvidencePage, type EvidenceStore } from '../../port.ts';
import { toEvidenceError } from './elasticsearch-errors.ts';
import { keyOf, prepareIndices, type StoredPage } from './indices.ts';
import { deletePage, put } from './put.ts';
import { get, readMany } from './read.ts';
import { sweep } from './sweep.ts';

export interface ElasticsearchEvidenceOptions {
  /** http or https; may hold a user and password. */
  url: string;
  apiKey?: string | undefined;
  /** PEM file of the authority that signed the server's certificate. */
  caPath?: string | undefined;
  /** Lower case; all indices begin with it and a hyphen. */
  indexPrefix?: string;
  requestTimeoutMs?: number;
}

/** Evidence in Elasticsearch 9, in two indices of its own. It is read by id, so what was put is there at once. @throws EvidenceError when it cannot be reached */
export async function createElasticsearchEvidenceStore({
  url,
  apiKey,
  caPath,
  indexPrefix = 'plumbline',
  requestTimeoutMs = 5_000,
}: ElasticsearchEvidenceOptions): Promise<EvidenceStore> {
  const client = new Client({
    node: url,
    maxRetries: 0,
    requestTimeout: requestTimeoutMs,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    ...(caPath === undefined ? {} : { tls: { ca: await readAuthority(caPath) } }),
  });
  try {
    const indices = await prepareIndices(client, indexPrefix);
    return portOf({ client, indices });
  } catch (error) {
    await client.close();
    throw toEvidenceError(error);
  }
}

function portOf(store: Parameters<typeof put>[0]): EvidenceStore {
  let closed = false;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new EvidenceError('unavailable', 'The evidence store is closed.', { retryable: false });
    try {
      return await work();
    } catch (error) {
      throw toEvidenceError(error);
    }
  };
  const page = async (tenant: string, id: string): Promise<EvidencePage | null> => {
    const [found] = await readMany<StoredPage>(store, store.indices.pages, [keyOf(tenant, id)]);
    if (!found) return null;
    return { ...found.page.head, text: found.page.text, expiresAt: found.expiresAt };
  };
  return {
    kind: 'elasticsearch',
    put: (evidence, passages) => guarded(() => put(store, evidence, passages)),
    get: (tenant, ids) => guarded(() => get(store, tenant, ids)),
    page: (tenant, id) => guarded(() => page(tenant, id)),
    delete: (tenant, id) => guarded(() => deletePage(store, tenant, id)),
    sweep: () => guarded(() => sweep(store)),
    close: async () => {
      closed = true;
      await store.client.close();
    },
  };
}

async function readAuthority(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new EvidenceError('unavailable', `The authority file ${path} cannot be read.`, { retryable: false, cause });
  }
}
