import { WebSearchError, type WebSearchErrorCode } from '../port.ts';
import { retryAfterMs } from '../../../domain/rules/retry-after.ts';

interface Meaning {
  code: WebSearchErrorCode;
  retryable: boolean;
  says: string;
}

/** 432 and 433 are Tavily's: the plan's limit, and the limit of what is paid as it is used. */
const meanings: Record<number, Meaning> = {
  400: { code: 'invalid_request', retryable: false, says: 'refuses the request' },
  401: { code: 'unauthorized', retryable: false, says: 'refuses the key' },
  403: {
    code: 'unauthorized',
    retryable: false,
    says: 'refuses access: check its key and what it allows (SearXNG: the json format)',
  },
  408: { code: 'timeout', retryable: true, says: 'waited too long' },
  413: { code: 'query_too_long', retryable: false, says: 'finds the query too long' },
  414: { code: 'query_too_long', retryable: false, says: 'finds the query too long' },
  422: { code: 'invalid_request', retryable: false, says: 'refuses the request' },
  429: { code: 'rate_limited', retryable: true, says: 'is asked too often' },
  432: { code: 'plan_exhausted', retryable: false, says: 'has used up its plan' },
  433: { code: 'plan_exhausted', retryable: false, says: 'has used up its pay-as-you-go limit' },
};
const tooLong = /too long|max(?:imum)? (?:query )?length|at most \d+ char|string_too_long/i;

/** What a status other than 2xx means. The body is only looked at, never repeated: it may hold the query. */
export function statusFailure(provider: string, response: Response, body: string): WebSearchError {
  const { status } = response;
  const isTooLong = (status === 400 || status === 422) && tooLong.test(body);
  const { code, retryable, says } = (isTooLong ? meanings[413] : meanings[status]) ?? unnamed(status);
  const wait = retryAfterMs((name) => response.headers.get(name), { leastMs: 0 });
  return new WebSearchError(code, `${provider} ${says} (status ${status}).`, {
    provider,
    retryable,
    retryAfterMs: wait,
  });
}

function unnamed(status: number): Meaning {
  if (status >= 500) return { code: 'unavailable', retryable: true, says: 'is out of order' };
  if (status >= 400) return { code: 'invalid_request', retryable: false, says: 'refuses the request' };
  return { code: 'bad_response', retryable: false, says: 'answers as no search does: check its address' };
}

/** What `fetch` and reading its body throw: connections refused, cut, or to names that do not resolve. */
export function searchFailure(provider: string, error: unknown): unknown {
  if (!isFetchFailure(error)) return error;
  const code = codeOf(error.cause);
  const message = `${provider} cannot be reached${code === null ? '' : ` (${code})`}.`;
  return new WebSearchError('unavailable', message, { provider, retryable: true, cause: error });
}

// Not `instanceof TypeError`: where code runs in a context of its own (a VM), errors of Node's core are of another realm.
function isFetchFailure(error: unknown): error is { cause?: unknown } {
  return (
    typeof error === 'object' && error !== null && 'name' in error && error.name === 'TypeError' && 'cause' in error
  );
}

function codeOf(cause: unknown): string | null {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : null;
}
