import { type Dispatcher, request } from 'undici';
import { fetchableUrl, refusalWords } from '../../../domain/web/url-rules.ts';
import type { DomainRules } from '../../../domain/web/url-rules.ts';
import { PageError } from '../port.ts';
import { acceptedCodings, type BodyLimits, readBody } from './body.ts';
import { statusFailure } from './page-failure.ts';

/** How the fetcher names itself; robots.txt may address it by its first word. */
export const userAgent = 'Plumbline/0.1';

export interface LoadOptions extends BodyLimits {
  dispatcher: Dispatcher;
  ports: readonly number[];
  domains: DomainRules;
  maxRedirects: number;
  signal: AbortSignal;
  /** What may be sent: wanted media types. */
  accept: string;
  /** Called before each hop, with its address; throws to stop. */
  beforeHop?: (url: string) => Promise<void>;
  /** Called with the header fields before the body is read; throws to stop. */
  beforeBody?: (header: (name: string) => string | null) => void;
}

export interface Loaded {
  /** Where it was found at last. */
  url: string;
  bytes: Uint8Array;
  header: (name: string) => string | null;
}

/** GET, following redirects itself, so that each hop passes the same rules. @throws PageError, and what the connection throws */
export async function load(start: string, options: LoadOptions): Promise<Loaded> {
  let url = permitted(start, options);
  for (let redirects = 0; ; redirects += 1) {
    await options.beforeHop?.(url);
    const { dispatcher, signal, accept } = options;
    const headers = { 'user-agent': userAgent, accept, 'accept-encoding': acceptedCodings };
    const { statusCode, headers: fields, body } = await request(url, { dispatcher, signal, headers });
    const header = (name: string): string | null => {
      const value = fields[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    if (statusCode === 200) {
      try {
        options.beforeBody?.(header);
      } catch (error) {
        await body.dump({ limit: 0, signal });
        throw error;
      }
      const packed = { body, coding: header('content-encoding'), length: header('content-length') };
      return { url, header, bytes: await readBody(packed, options) };
    }
    await body.dump({ limit: 65_536, signal });
    const location = header('location');
    if (statusCode < 301 || statusCode > 308 || location === null) throw statusFailure(statusCode, header);
    if (redirects === options.maxRedirects) {
      throw new PageError('too_many_redirects', `The page redirects more than ${options.maxRedirects} times.`);
    }
    url = permitted(URL.parse(location, url)?.href ?? location, options);
  }
}

function permitted(url: string, rules: { domains: DomainRules; ports: readonly number[] }): string {
  const address = fetchableUrl(url, rules);
  if ('url' in address) return address.url;
  throw new PageError('blocked_url', `The address may not be fetched: ${refusalWords[address.refused]}.`);
}
