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
  /** What of the results was not read as it is: how many pages, and why. */
  notes: string[];
  /** Addresses whose page held no text: its scripts may make it. */
  unread: string[];
}

/** `shown`: the page could not be had, and what the search showed of it stands in. `refused`: it may not be read, nor what was shown of it. */
type Got = { page: WebPage; as: 'read' | 'shown' } | { page: null; as: 'refused' | 'lost' };

/** Reads what was found. */
export async function readPages(
  pages: PageFetcher,
  results: readonly WebResult[],
  reading: Reading,
): Promise<ReadPages> {
  const got: Got[] = results.map(() => ({ page: null, as: 'lost' }));
  const begun = performance.now();
  const unread: string[] = [];
  let next = 0;
  const readNext = async (): Promise<void> => {
    for (let n = next++; n < results.length && performance.now() - begun < beginWithinMs; n = next++) {
      const result = results[n];
      if (result) got[n] = await pageFor(pages, result, { ...reading, unread });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return { pages: got.flatMap(({ page }) => page ?? []), notes: notesOf(got), unread };
}

function notesOf(got: readonly Got[]): string[] {
  const count = (as: Got['as']): number => got.filter((one) => one.as === as).length;
  const told: [number, string][] = [
    [count('lost'), 'pages could not be read'],
    [count('refused'), 'pages left out: their addresses may not be read'],
    [count('shown'), 'pages as the search showed them'],
  ];
  return told.flatMap(([many, what]) => (many === 0 ? [] : [`${many} of ${got.length} ${what}`]));
}

/** What the search showed, or the page itself where that is little; what the search showed when the page cannot be had. */
async function pageFor(
  pages: PageFetcher,
  result: WebResult,
  { web, rules, signal, unread }: Reading & { unread: string[] },
): Promise<Got> {
  const shown = (result.rawContent ?? result.content).trim();
  const asShown = async (as: 'read' | 'shown'): Promise<Got> => {
    const page = await pages.read(result, signal).catch(lostPage);
    return page === null ? { page, as: 'lost' } : { page, as };
  };
  if (shown !== '' && shown.length >= web.fetchBelow) return asShown('read');
  try {
    const { domains } = rules;
    return { page: await pages.fetch(result.url, { ...pageLimits, domains, robots: web.robots }, signal), as: 'read' };
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    if (isRefusal(error)) return { page: null, as: 'refused' };
    if (error.code === 'unreadable') unread.push(result.url);
    return shown === '' ? { page: null, as: 'lost' } : asShown('shown');
  }
}

/** The address, or the site, forbids it. Where the site's rules could not be had, nobody has forbidden anything. */
function isRefusal({ code, retryable }: PageError): boolean {
  return code === 'blocked_url' || code === 'blocked_address' || (code === 'blocked_by_robots' && !retryable);
}

function lostPage(error: unknown): null {
  if (error instanceof PageError) return null;
  throw error;
}
