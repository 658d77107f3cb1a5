const longestMs = 10 * 60_000;

/**
 * When a provider wants to be asked again, in milliseconds from now: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date.
 * Never less than 1 (Temporal takes 0 for "not said") nor more than 10 minutes. Null where neither header says anything that can be read.
 */
export function retryAfterMs(headers: Headers | null, now = Date.now()): number | null {
  const wait = number(headers?.get('retry-after-ms')) ?? seconds(headers?.get('retry-after'), now);
  return wait === null ? null : Math.min(Math.max(Math.ceil(wait), 1), longestMs);
}

function seconds(value: string | null | undefined, now: number): number | null {
  if (!value) return null;
  const count = number(value);
  if (count !== null) return count * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : date - now;
}

function number(value: string | null | undefined): number | null {
  return value && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null;
}
