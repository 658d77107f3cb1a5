import { readFile } from 'node:fs/promises';
import { Client } from '@elastic/elasticsearch';
import { IndexError } from '../port.ts';
import { toIndexError } from './elasticsearch-errors.ts';

export interface ConnectionOptions {
  url: string;
  apiKey?: string | undefined;
  /** PEM file of the authority that signed the server's certificate. */
  caPath?: string | undefined;
  /** The longest that any request may take; a child of the client may only have less. */
  requestTimeoutMs: number;
}

const oldestMajor = 9;
const helloTimeoutMs = 10_000;

/**
 * A client that has seen an Elasticsearch 9 or newer. It never retries: whoever calls decides that.
 * @throws IndexError with the address, and what to check
 */
export async function connect({ url, apiKey, caPath, requestTimeoutMs }: ConnectionOptions): Promise<Client> {
  const ca = caPath === undefined ? null : await readAuthority(caPath);
  const client = new Client({
    node: url,
    maxRetries: 0,
    requestTimeout: requestTimeoutMs,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    ...(ca === null ? {} : { tls: { ca } }),
  });
  try {
    const { version } = await client.info({}, { requestTimeout: helloTimeoutMs });
    if (Number.parseInt(version.number, 10) >= oldestMajor) return client;
    const message = `Elasticsearch ${version.number} is too old: Plumbline needs ${oldestMajor} or newer`;
    throw new IndexError('unavailable', message, { retryable: false });
  } catch (error) {
    await client.close();
    const { code, message, retryable } = toIndexError(error);
    throw new IndexError(code, `${withoutPassword(url)}: ${message}`, { retryable });
  }
}

async function readAuthority(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new IndexError('unavailable', `the authority file ${path} cannot be read`, { retryable: false, cause });
  }
}

function withoutPassword(url: string): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  return address.href;
}
