import { PageError } from '../port.ts';
import { retryAfterMs } from '../../../domain/rules/retry-after.ts';

/** What a status other than 2xx and 3xx means. */
export function statusFailure(status: number, header: (name: string) => string | null): PageError {
  const retryAfter = retryAfterMs(header, { leastMs: 0 });
  if (status === 404 || status === 410) return new PageError('not_found', `The page is not there (status ${status}).`);
  if (status === 429) {
    return new PageError('rate_limited', 'The site is asked too often.', { retryable: true, retryAfterMs: retryAfter });
  }
  if (status >= 500) {
    return new PageError('unavailable', `The site is out of order (status ${status}).`, {
      retryable: true,
      retryAfterMs: retryAfter,
    });
  }
  if (status >= 400) return new PageError('refused', `The site refuses to show the page (status ${status}).`);
  return new PageError('bad_response', `The site answered with status ${status}.`);
}

const slow = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const broken = /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR_FORMAT|UND_ERR_(?:HEADERS_OVERFLOW|RES_|RESPONSE))/;

/**
 * The one place where a failure of the connection, of unpacking or of the parser becomes a `PageError`. What has no code is a defect of ours and
 * stays as it is.
 */
export function toPageError(error: unknown): unknown {
  if (error instanceof PageError) return error;
  const code = codeOf(error);
  if (code === null) return error;
  if (code.startsWith('Document.')) return parseFailure(code, error);
  if (slow.has(code)) return new PageError('timeout', 'The site was too slow.', { retryable: true, cause: error });
  if (broken.test(code)) return new PageError('bad_response', `The answer is damaged (${code}).`, { cause: error });
  return new PageError('unavailable', `The site cannot be reached (${code}).`, { retryable: true, cause: error });
}

/** As the parser's port names them. */
function parseFailure(code: string, cause: unknown): PageError {
  if (code === 'Document.UnknownType')
    return new PageError('unsupported_type', 'The page is of no readable type.', { cause });
  if (code.startsWith('Document.TooLarge') || code.startsWith('Document.TooMany')) {
    return new PageError('too_large', `The page is too large to be read (${code}).`, { cause });
  }
  if (code === 'Document.Timeout') return new PageError('timeout', 'The page took too long to be read.', { cause });
  return new PageError('unreadable', `The page holds no text that could be read (${code}).`, {
    retryable: code === 'Document.ParserCrashed',
    cause,
  });
}

/** Null for a failure of our own disk too, which names a path. */
// Not `instanceof Error`: where code runs in a context of its own (a VM), errors of Node's core are of another realm.
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error) || 'path' in error) return null;
  return typeof error.code === 'string' ? error.code : null;
}
