import type { Client } from '@elastic/elasticsearch';
import type { LRUCache } from 'lru-cache';
import type { KnownEntry } from './entry.ts';
import type { IndexName } from './schema.ts';

/** What every operation of this adapter works with. */
export interface Store {
  /** For writes, scans and refreshes. */
  patient: Client;
  /** The same connections with a shorter timeout, for reads that somebody waits for. */
  client: Client;
  /** The aliases that all requests go through. */
  alias: Record<IndexName, string>;
  /** Entries of documents that were read, by document key. */
  known: LRUCache<string, KnownEntry>;
  /** Length of every vector. */
  dimensions: number;
  /** Whose vectors they are. */
  model: string;
}
