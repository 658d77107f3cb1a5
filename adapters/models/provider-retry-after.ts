import { retryAfterMs as waitOf } from '../../domain/rules/retry-after.ts';

/** When a provider wants to be asked again, in milliseconds from now: never less than 1, since Temporal takes 0 for "not said". */
export function retryAfterMs(headers: Headers | null, now = Date.now()): number | null {
  return waitOf((name) => headers?.get(name) ?? null, { now, leastMs: 1 });
}
