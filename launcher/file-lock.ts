import { DatabaseSync } from 'node:sqlite';
import { types } from 'node:util';

export type FileLock = { release: () => void };

// A collected DatabaseSync closes its file and with it the lock, so held locks stay reachable.
const held = new Set<DatabaseSync>();

/**
 * Takes the exclusive lock on a file, or returns null when another process (or this one) holds it.
 *
 * SQLite's exclusive transaction is the lock: the kernel frees it when the holder dies, even by kill -9, so there is no stale lock to judge and no race
 * in taking one over. A pid file needs both judgements, and proper-lockfile decides by the age of a file, which a paused process gets wrong.
 */
export function tryFileLock(path: string, options: { waitMs?: number } = {}): FileLock | null {
  const database = new DatabaseSync(path, { timeout: options.waitMs ?? 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return types.isNativeError(error) && 'errcode' in error && error.errcode === sqliteBusy;
}
