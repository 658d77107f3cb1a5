import { EvidenceError } from '../../port.ts';

interface Meaning {
  code: EvidenceError['code'];
  retryable: boolean;
}

/** Primary result codes, https://www.sqlite.org/rescode.html; the low byte of an extended code. */
const meanings: Record<number, Meaning> = {
  1: { code: 'corrupt', retryable: false },
  5: { code: 'locked', retryable: true },
  6: { code: 'locked', retryable: true },
  7: { code: 'unavailable', retryable: true },
  10: { code: 'unavailable', retryable: true },
  11: { code: 'corrupt', retryable: false },
  13: { code: 'unavailable', retryable: true },
  15: { code: 'locked', retryable: true },
  18: { code: 'too_large', retryable: false },
  19: { code: 'rejected', retryable: false },
  26: { code: 'corrupt', retryable: false },
};

/** The one place where a failure of `node:sqlite` becomes an `EvidenceError`. SQLite's own message may repeat text: only its fixed description goes on. */
export function toEvidenceError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('code' in error)) return error;
  if (error.code === 'ERR_INVALID_STATE') {
    return new EvidenceError('unavailable', 'The evidence store is closed.', { retryable: false });
  }
  if (error.code !== 'ERR_SQLITE_ERROR' || !('errcode' in error) || !('errstr' in error)) return error;
  const result = Number(error.errcode);
  const { code, retryable } = meanings[result & 0xff] ?? { code: 'unavailable', retryable: false };
  return new EvidenceError(code, `SQLite: ${String(error.errstr)} (${result}).`, { retryable, cause: error });
}
