const longestMs = 10 * 60_000;

/**
 * How long a server wants to be left alone, in milliseconds, at most ten minutes: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Null where it says nothing that can be read. `leastMs`: what a time of nothing or in the past counts as.
 */
export function retryAfterMs(
  header: (name: string) => string | null,
  { now = Date.now(), leastMs }: { now?: number; leastMs: number },
): number | null {
  const wait = number(header('retry-after-ms')) ?? secondsOrDate(header('retry-after'), now);
  return wait === null ? null : Math.min(longestMs, Math.max(leastMs, Math.ceil(wait)));
}

function secondsOrDate(value: string | null, now: number): number | null {
  if (value === null) return null;
  const seconds = number(value);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : date - now;
}

function number(value: string | null): number | null {
  return value !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : null;
}
