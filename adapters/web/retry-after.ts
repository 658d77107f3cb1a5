const longestMs = 10 * 60_000;

/**
 * How long a server wants to be left alone, in milliseconds, at most ten minutes: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Null where it says nothing that can be understood.
 */
export function retryAfterMs(header: (name: string) => string | null, now = Date.now()): number | null {
  const exact = number(header('retry-after-ms'));
  const seconds = number(header('retry-after'));
  const date = Date.parse(header('retry-after') ?? '');
  const wait = exact ?? (seconds === null ? null : seconds * 1000) ?? (Number.isNaN(date) ? null : date - now);
  return wait === null ? null : Math.min(longestMs, Math.max(0, Math.ceil(wait)));
}

function number(text: string | null): number | null {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
