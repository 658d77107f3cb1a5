import { z } from 'zod';
import { anyDomain, webPorts } from '../../../domain/web/url-rules.ts';
import { maxQueryCharacters } from '../../../domain/web/web-query.ts';
import { WebSearchError, type WebSearch } from '../port.ts';
import { callSearch } from './call.ts';
import { resultsOf } from './results.ts';

export interface TavilyOptions {
  apiKey: string;
  /** Default: https://api.tavily.com */
  baseUrl?: string | undefined;
  timeoutMs?: number;
  /** Ports that a hit may be on. Default: 80 and 443. */
  ports?: readonly number[];
}

const provider = 'tavily';
const answerSchema = z.object({ results: z.array(z.unknown()) });

/** Tavily by its HTTP API: its own client gives no status, no headers and no way to cancel. https://docs.tavily.com */
export function createTavilySearch({
  apiKey,
  baseUrl = 'https://api.tavily.com',
  timeoutMs = 2_700,
  ports = webPorts,
}: TavilyOptions): WebSearch {
  const url = new URL('search', baseUrl.replace(/\/*$/, '/'));
  return {
    id: provider,
    async search(query, { maxResults, signal, domains = anyDomain, rawContent = false, watch }) {
      if (query.length > maxQueryCharacters) {
        const message = `A query may have ${maxQueryCharacters} characters; this one has ${query.length}.`;
        throw new WebSearchError('query_too_long', message, { provider, retryable: false });
      }
      const body = {
        query,
        max_results: maxResults,
        search_depth: 'basic',
        include_raw_content: rawContent ? 'markdown' : false,
        ...(domains.allowed.length === 0 ? {} : { include_domains: domains.allowed }),
        ...(domains.blocked.length === 0 ? {} : { exclude_domains: domains.blocked }),
      };
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = answerSchema.safeParse(await callSearch({ provider, url, init, timeoutMs, signal, watch }));
      if (!answer.success) {
        throw new WebSearchError('bad_response', 'tavily sent an answer without results.', {
          provider,
          retryable: true,
        });
      }
      return resultsOf(answer.data.results, { provider, maxResults, domains, ports });
    },
  };
}
