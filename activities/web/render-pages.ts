import { PageError, type PageFetcher, type WebPage } from '../../adapters/web/port.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import type { WebRules } from '../../domain/web/combine-rules.ts';

const pageLimits = { maxBytes: 5 * 2 ** 20, maxUnpackedBytes: 30 * 2 ** 20, timeoutMs: 12_000, maxRedirects: 5 };
/** A browser each, one after the other: so many fit into the step. */
const mostPages = 3;

/** Reads the first pages of a list by a browser; those that cannot be read, and the rest of the list, are counted as lost. */
export async function renderPages(
  browser: PageFetcher,
  urls: readonly string[],
  { web, rules, signal }: { web: WebPolicy; rules: WebRules; signal: AbortSignal },
): Promise<{ pages: WebPage[]; lost: number }> {
  const pages: WebPage[] = [];
  for (const url of urls.slice(0, mostPages)) {
    try {
      pages.push(await browser.fetch(url, { ...pageLimits, domains: rules.domains, robots: web.robots }, signal));
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
    }
  }
  return { pages, lost: urls.length - pages.length };
}
