import type { Client } from '@elastic/elasticsearch';
import type { IndexName } from './schema.ts';

/** What every operation of this adapter works with. */
export interface Store {
  /** For writes, scans and refreshes. */
  patient: Client;
  /** The same connections with a shorter timeout, for reads that somebody waits for. */
  client: Client;
  /** The aliases that all requests go through. */
  alias: Record<IndexName, string>;
  /** Length of every vector. */
  dimensions: number;
}
