import { createHash } from 'node:crypto';
import {
  type SearchWatch,
  type WebResult,
  type WebResultCache,
  type WebSearch,
  WebSearchError,
} from '../../adapters/web/port.ts';
import type { WebRules } from '../../domain/web/combine-rules.ts';
import { webFailureType } from '../failures.ts';
import type { StepContext } from '../step.ts';

/** A run waits no longer for a search that names a time: it goes on with what it has. */
const patienceMs = 3_000;

export interface SearchOnceInput {
  tenant: string;
  query: string;
  rules: WebRules;
  maxResults: number;
  cacheMinutes: number;
}

export interface SearchedOnce {
  results: WebResult[];
  /** Time of the search whose results they are; null: of this one. */
  keptSince: string | null;
  /** Searches that did not answer, and who was asked instead. */
  passedOver: string[];
}

/**
 * Results of a search, or those of the same search of the same tenant under the same rules a while ago, with its time: then nothing is sent. What is
 * sent is written into the step's record right before it leaves.
 */
export async function searchOnce(
  { webSearch, webCache }: { webSearch: WebSearch; webCache: WebResultCache },
  { tenant, query, rules, maxResults, cacheMinutes }: SearchOnceInput,
  { signal, calls }: StepContext,
): Promise<SearchedOnce> {
  const key = keyOf({ search: webSearch.id, tenant, query, rules, maxResults });
  const kept = cacheMinutes > 0 ? webCache.get(key) : null;
  if (kept !== null) return { results: kept.results, keptSince: kept.at, passedOver: [] };
  const passedOver: string[] = [];
  const watch: SearchWatch = {
    sending: () => calls.sending(query),
    passedOver: (failure, instead) =>
      passedOver.push(`${nameOf(failure.provider)}: ${webFailureType(failure)}; asked ${nameOf(instead)} instead`),
  };
  const options = { maxResults, domains: rules.domains, rawContent: true, signal, watch };
  const results = await webSearch.search(query, options).catch(withoutLongWait);
  if (cacheMinutes > 0) webCache.set(key, { results, at: new Date().toISOString() }, cacheMinutes);
  return { results, keptSince: null, passedOver };
}

/** As people know them. */
const names: Record<string, string> = { tavily: 'Tavily', searxng: 'SearXNG' };

function nameOf(id: string): string {
  return names[id] ?? id;
}

function keyOf(parts: object): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function withoutLongWait(error: unknown): never {
  if (!(error instanceof WebSearchError) || (error.retryAfterMs ?? 0) <= patienceMs) throw error;
  const { code, message, provider } = error;
  throw new WebSearchError(code, message, { provider, retryable: false, cause: error });
}
