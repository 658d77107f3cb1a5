import { DatabaseSync } from 'node:sqlite';
import { getLoadablePath } from 'sqlite-vec';
import { IndexError } from '../port.ts';
import type { VectorOrigin } from '../vector-origin.ts';
import { Database } from './database.ts';
import { checkVectors, isCurrent, migrate } from './schema.ts';

interface OpenOptions {
  file: string;
  vectors: VectorOrigin;
  /** How long a call waits for another process's lock, in milliseconds. The wait blocks this thread: keep it short. */
  busyTimeoutMs: number;
}

/**
 * Opens or creates the file in WAL mode, so that readers in other processes go on while one writes.
 * @throws what SQLite throws, or IndexError from the schema check; nothing stays open then.
 */
export function openDatabase({ file, vectors, busyTimeoutMs }: OpenOptions): Database {
  const connection = new DatabaseSync(file, { allowExtension: true, timeout: busyTimeoutMs });
  try {
    loadVectorSearch(connection);
    const database = new Database(connection, vectors);
    // Before anything is written: a file of another program stays as it is.
    const current = isCurrent(database);
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = -65536; PRAGMA secure_delete = ON');
    if (!current) database.write(() => migrate(database));
    checkVectors(database);
    return database;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function loadVectorSearch(connection: DatabaseSync): void {
  try {
    connection.loadExtension(getLoadablePath());
  } catch (cause) {
    const message = `sqlite-vec cannot be loaded on ${process.platform}-${process.arch}; install the npm package again, or use Elasticsearch`;
    throw new IndexError('unavailable', message, { retryable: false, cause });
  }
  connection.enableLoadExtension(false);
}
