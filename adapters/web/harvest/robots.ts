import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import { anyDomain } from '../../../domain/web/url-rules.ts';
import { PageError } from '../port.ts';
import { load, type LoadOptions, userAgent } from './load.ts';
import { toPageError } from './page-failure.ts';

type Robots = ReturnType<typeof robotsParser>;
type Connection = Pick<LoadOptions, 'dispatcher' | 'ports' | 'signal'>;

/** RFC 9309, 2.5: no less than 500 KiB. */
const maxBytes = 512_000;
/** RFC 9309, 2.3.1.2. */
const maxRedirects = 5;
const keptMs = 60 * 60_000;
const keptSites = 1_000;

export interface RobotsRules {
  /** @throws PageError `blocked_by_robots` where the site's rules, or their absence through an outage, forbid the page */
  check(url: string, connection: Connection): Promise<void>;
}

/** The Robots Exclusion Protocol, RFC 9309: no rules where there is no file, nothing allowed where the file cannot be had. */
export function createRobotsRules(): RobotsRules {
  const known = new LRUCache<string, Robots>({ max: keptSites, ttl: keptMs });
  return {
    async check(url, connection) {
      const address = new URL('/robots.txt', url).href;
      const robots = known.get(address) ?? (await fetchRobots(address, connection));
      known.set(address, robots);
      if (robots.isAllowed(url, userAgent) === false) {
        throw new PageError('blocked_by_robots', "The site's robots.txt does not want this page read by programs.");
      }
    },
  };
}

async function fetchRobots(address: string, connection: Connection): Promise<Robots> {
  const limits = {
    maxBytes,
    maxUnpackedBytes: maxBytes,
    maxRedirects,
    domains: anyDomain,
    accept: 'text/plain, */*;q=0.1',
  };
  try {
    const { bytes } = await load(address, { ...connection, ...limits });
    return robotsParser(address, new TextDecoder().decode(bytes));
  } catch (error) {
    connection.signal.throwIfAborted();
    const failure = toPageError(error);
    if (!(failure instanceof PageError) || failure.code.startsWith('blocked')) throw failure;
    if (failure.code === 'not_found' || failure.code === 'refused') return robotsParser(address, '');
    throw new PageError('blocked_by_robots', `The site's robots.txt cannot be read. ${failure.message}`, {
      retryable: failure.retryable,
      retryAfterMs: failure.retryAfterMs,
      cause: failure,
    });
  }
}
