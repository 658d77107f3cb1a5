import { z } from 'zod';
import { anyDomain, webPorts } from '../../../domain/web/url-rules.ts';
import { WebSearchError, type WebSearch } from '../port.ts';
import { callSearch } from './call.ts';
import { resultsOf } from './results.ts';

export interface SearxngOptions {
  /** Of an instance whose settings allow the json format. */
  baseUrl: string;
  timeoutMs?: number;
  /** Ports that a hit may be on. Default: 80 and 443. */
  ports?: readonly number[];
}

const provider = 'searxng';
const answerSchema = z.object({
  results: z.array(z.unknown()),
  /** Names of engines that did not answer, each with the reason. */
  unresponsive_engines: z.array(z.unknown()).nullish().catch(null),
});

/**
 * A SearXNG instance by its JSON interface, https://docs.searxng.org/dev/search_api. It sends a page of results whatever the number wanted, and no
 * whole texts. An empty list where engines failed is an outage of these engines.
 */
export function createSearxngSearch({ baseUrl, timeoutMs = 2_700, ports = webPorts }: SearxngOptions): WebSearch {
  return {
    id: provider,
    async search(query, { maxResults, signal, domains = anyDomain, watch }) {
      const url = new URL('search', baseUrl.replace(/\/*$/, '/'));
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      const init = { headers: { accept: 'application/json' } };
      const answer = answerSchema.safeParse(await callSearch({ provider, url, init, timeoutMs, signal, watch }));
      if (!answer.success) {
        throw new WebSearchError('bad_response', 'searxng sent an answer without results.', {
          provider,
          retryable: true,
        });
      }
      const { results, unresponsive_engines } = answer.data;
      const failed = unresponsive_engines?.length ?? 0;
      if (results.length === 0 && failed > 0) {
        const message = `searxng found nothing because ${failed} of its engines did not answer.`;
        throw new WebSearchError('unavailable', message, { provider, retryable: true });
      }
      return resultsOf(results, { provider, maxResults, domains, ports });
    },
  };
}
