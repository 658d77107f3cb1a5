import { IndexError } from '../port.ts';

interface SqliteFailure {
  code: string;
  errcode: number;
  errstr: string;
}

/** Primary result codes, https://www.sqlite.org/rescode.html; the low byte of an extended code. */
const known: Record<number, { code: IndexError['code']; retryable: boolean; hint: string }> = {
  1: { code: 'corrupt', retryable: false, hint: 'a table of the index file is missing or damaged' },
  5: { code: 'locked', retryable: true, hint: 'another process holds the index file' },
  6: { code: 'locked', retryable: true, hint: 'another statement holds the table' },
  7: { code: 'unavailable', retryable: true, hint: 'out of memory' },
  8: { code: 'unavailable', retryable: false, hint: 'the index file is read-only; check its owner and rights' },
  10: { code: 'unavailable', retryable: true, hint: 'the disk failed to read or write' },
  11: { code: 'corrupt', retryable: false, hint: 'restore the index file, or remove it and ingest again' },
  13: { code: 'unavailable', retryable: true, hint: 'the disk is full' },
  14: {
    code: 'unavailable',
    retryable: false,
    hint: 'the index file cannot be opened; check the folder and its rights',
  },
  15: { code: 'locked', retryable: true, hint: 'another process holds the index file' },
  18: { code: 'too_large', retryable: false, hint: 'one value is larger than SQLite stores' },
  19: { code: 'rejected', retryable: false, hint: 'the data break a rule of the schema' },
  26: {
    code: 'corrupt',
    retryable: false,
    hint: 'the file is no SQLite database; restore it, or remove it and ingest again',
  },
};

/**
 * The one place where a failure of `node:sqlite` becomes an `IndexError`. SQLite's message may repeat query text, so that only
 * its fixed description of the code goes on.
 */
export function toIndexError(error: unknown): IndexError {
  if (error instanceof IndexError) return error;
  if (isSqliteFailure(error)) {
    const found = known[error.errcode & 0xff];
    const what = `SQLite: ${error.errstr} (${error.errcode})`;
    if (found)
      return new IndexError(found.code, `${what}: ${found.hint}`, { retryable: found.retryable, cause: error });
    return new IndexError('unavailable', what, { retryable: false, cause: error });
  }
  if (hasCode(error, 'ERR_INVALID_STATE')) {
    return new IndexError('unavailable', 'the index is closed', { retryable: false, cause: error });
  }
  throw error;
}

function isSqliteFailure(error: unknown): error is SqliteFailure {
  return hasCode(error, 'ERR_SQLITE_ERROR') && 'errcode' in error && 'errstr' in error;
}

// Not `instanceof Error`: where code runs in a context of its own (a VM), errors of Node's core are of another realm.
function hasCode(error: unknown, code: string): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
