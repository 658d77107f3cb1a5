import type { Writable } from 'node:stream';
import type { WebSearchError } from '../adapters/web/port.ts';

/** The same failure of the same search is told again after so long: each question meets it anew. */
const quietMs = 60_000;

/** Writes what kept a search from answering into the worker's log, a JSON object a line: another may have answered in its place, so no run fails. */
export function logWebFailures(
  log: Writable,
  { now = Date.now }: { now?: () => number } = {},
): (failure: WebSearchError) => void {
  const told = new Map<string, number>();
  return ({ provider, code, message, retryable }) => {
    const key = `${provider} ${code}`;
    if (now() - (told.get(key) ?? -Infinity) < quietMs) return;
    told.set(key, now());
    const at = new Date(now()).toISOString();
    log.write(
      `${JSON.stringify({ at, level: 'WARN', message: `web search: ${message}`, provider, code, retryable })}\n`,
    );
  };
}
