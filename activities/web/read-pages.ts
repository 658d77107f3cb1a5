import { PageError, type PageFetcher, type WebPage, type WebResult } from '../../adapters/web/port.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import type { WebRules } from '../../domain/web/combine-rules.ts';

const pageLimits = { maxBytes: 5 * 2 ** 20, maxUnpackedBytes: 20 * 2 ** 20, timeoutMs: 4000, maxRedirects: 5 };

interface Reading {
  web: WebPolicy;
  rules: WebRules;
  signal: AbortSignal;
}

/** What was found, as pages in the order of the results; a page that cannot be read is left out and counted as lost. */
export async function readPages(
  pages: PageFetcher,
  results: readonly WebResult[],
  reading: Reading,
): Promise<{ pages: WebPage[]; lost: number }> {
  const read = await Promise.allSettled(results.map((result) => pageFor(pages, result, reading)));
  const lost = read.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  for (const reason of lost) if (!(reason instanceof PageError)) throw reason;
  return { pages: read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), lost: lost.length };
}

/** What the search showed, or the page itself where that is little; what the search showed when the page cannot be had. */
async function pageFor(pages: PageFetcher, result: WebResult, { web, rules, signal }: Reading): Promise<WebPage> {
  const shown = (result.rawContent ?? result.content).trim();
  if (shown !== '' && shown.length >= web.fetchBelow) return pages.read(result, signal);
  try {
    return await pages.fetch(result.url, { ...pageLimits, domains: rules.domains, robots: web.robots }, signal);
  } catch (error) {
    if (!(error instanceof PageError) || shown === '') throw error;
    return pages.read(result, signal);
  }
}
