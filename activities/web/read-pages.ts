import { PageError, type PageFetcher, type WebPage, type WebResult } from '../../adapters/web/port.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import type { WebRules } from '../../domain/web/combine-rules.ts';

const pageLimits = { maxBytes: 5 * 2 ** 20, maxUnpackedBytes: 20 * 2 ** 20, timeoutMs: 4000, maxRedirects: 5 };
const atOnce = 4;
/** After so long no further page is begun: the rest of the step's time is for what was read. */
const beginWithinMs = 4000;

interface Reading {
  web: WebPolicy;
  rules: WebRules;
  signal: AbortSignal;
}

export interface ReadPages {
  /** In the order of the results. */
  pages: WebPage[];
  /** Pages that could not be read, or not in time. */
  lost: number;
  /** Addresses whose page held no text: its scripts may make it. */
  unread: string[];
}

/** Reads what was found. */
export async function readPages(
  pages: PageFetcher,
  results: readonly WebResult[],
  reading: Reading,
): Promise<ReadPages> {
  const read: (WebPage | null)[] = results.map(() => null);
  const begun = performance.now();
  const unread: string[] = [];
  let next = 0;
  const readNext = async (): Promise<void> => {
    for (let n = next++; n < results.length && performance.now() - begun < beginWithinMs; n = next++) {
      const result = results[n];
      if (result) read[n] = await pageFor(pages, result, { ...reading, unread });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  const found = read.filter((page) => page !== null);
  return { pages: found, lost: results.length - found.length, unread };
}

/** What the search showed, or the page itself where that is little; what the search showed when the page cannot be had; else null. */
async function pageFor(
  pages: PageFetcher,
  result: WebResult,
  { web, rules, signal, unread }: Reading & { unread: string[] },
): Promise<WebPage | null> {
  const shown = (result.rawContent ?? result.content).trim();
  const { domains } = rules;
  const fetched = () => pages.fetch(result.url, { ...pageLimits, domains, robots: web.robots }, signal);
  const asShown = () => pages.read(result, signal);
  const ways = shown === '' ? [fetched] : shown.length >= web.fetchBelow ? [asShown] : [fetched, asShown];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      if (way === fetched && error.code === 'unreadable') unread.push(result.url);
    }
  }
  return null;
}
