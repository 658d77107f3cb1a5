import { z } from 'zod';
import { fetchableUrl, webPorts } from '../../../domain/web/url-rules.ts';
import type { DomainRules } from '../../../domain/web/url-rules.ts';
import { WebSearchError, type WebResult } from '../port.ts';

const text = z.string().nullish().catch(null);

/** What engines send of a hit; only its address must be there. */
const hitSchema = z.object({
  url: z.string(),
  title: text,
  content: text,
  raw_content: text,
  score: z.number().nullish().catch(null),
  published_date: text,
  publishedDate: text,
});

/**
 * The hits of an answer in its order, at most `maxResults`, each address once, only from domains that are allowed. A hit without an http(s) address
 * cannot be cited and is left out; an answer of nothing else is a bad one.
 */
export function resultsOf(
  list: unknown[],
  {
    provider,
    maxResults,
    domains,
    ports = webPorts,
  }: { provider: string; maxResults: number; domains: DomainRules; ports?: readonly number[] },
): WebResult[] {
  const hits = list.flatMap((item) => {
    const hit = hitSchema.safeParse(item);
    return hit.success && /^https?:/i.test(hit.data.url) && URL.canParse(hit.data.url) ? [hit.data] : [];
  });
  if (hits.length === 0 && list.length > 0) {
    throw new WebSearchError('bad_response', `${provider} sent results without addresses.`, {
      provider,
      retryable: true,
    });
  }
  const results = new Map<string, WebResult>();
  for (const hit of hits) {
    const address = fetchableUrl(hit.url, { domains, ports });
    if (!('url' in address) || results.has(address.url) || results.size >= maxResults) continue;
    results.set(address.url, {
      url: address.url,
      title: hit.title ?? '',
      content: hit.content ?? '',
      rawContent: hit.raw_content ?? null,
      score: hit.score ?? null,
      publishedAt: isoTime(hit.published_date ?? hit.publishedDate ?? null),
    });
  }
  return [...results.values()];
}

/** Without a zone, the time is taken as UTC. */
function isoTime(text: string | null): string | null {
  if (text === null) return null;
  const zoned = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
