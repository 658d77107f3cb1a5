import { retryAfterMs } from '../../domain/rules/retry-after.ts';
import { NotifyError } from './port.ts';

const otherwiseRetried = new Set([408, 429]);

/** What a status other than 2xx means. */
export function statusFault({ status, headers }: Response): NotifyError {
  if (otherwiseRetried.has(status) || status >= 500) {
    // Never 0, which Temporal takes for "not said".
    const wait = retryAfterMs((name) => headers.get(name), { leastMs: 1 });
    return new NotifyError('unavailable', `The webhook answers ${status}.`, { retryAfterMs: wait });
  }
  return new NotifyError('refused', `The webhook refuses notifications with status ${status}: ${remedyOf(status)}.`);
}

function remedyOf(status: number): string {
  if (status === 410) return 'it wants none any more; unset PLUMBLINE_WEBHOOK_URL';
  if (status === 401 || status === 403) return 'check that PLUMBLINE_WEBHOOK_SECRET is the secret that it knows';
  if (status >= 400) return 'check PLUMBLINE_WEBHOOK_URL and what is behind it';
  return 'redirects are not followed; set PLUMBLINE_WEBHOOK_URL to the address it is now at';
}

/** What `fetch` throws: connections refused or cut, names that do not resolve, certificates that are not trusted. */
export function unreachable(error: unknown): NotifyError {
  const code = codeOf(error);
  const message = `The webhook cannot be reached${code === null ? '' : ` (${code})`}.`;
  return new NotifyError('unavailable', message, { cause: error });
}

function codeOf(error: unknown): string | null {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : null;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : null;
}
