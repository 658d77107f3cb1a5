import { isIP } from 'node:net';
import { z } from 'zod';
import { apiAddress, flag, key, pathOf, text } from './setting-kinds.ts';

const addressPairs = z
  .string()
  .transform((value) => value.split(',').map((item) => pairOf(item.trim())))
  .refine(
    (pairs) => pairs.every((pair) => pair !== null),
    'must be pairs of an IP address and a port, such as 10.0.0.7:443 or [fd00::7]:8443, separated by commas',
  )
  .transform((pairs) => pairs.filter((pair) => pair !== null))
  .optional();

const proxies = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .pipe(z.array(z.url({ protocol: /^http$/, error: 'must be http addresses, separated by commas' })))
  .optional();
const rate = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/, 'must be a number, for example 10')
  .transform(Number)
  .pipe(z.number().positive('must be more than 0'));

/** The variables of web search and of what tenants allow. */
export const webVariables = {
  TAVILY_API_KEY: key,
  TAVILY_BASE_URL: apiAddress,
  SEARXNG_URL: apiAddress,
  PLUMBLINE_TENANTS: text,
  PLUMBLINE_WEB_ALLOWED_ADDRESSES: addressPairs,
  PLUMBLINE_WEB_PER_SECOND: rate.default(10),
  PLUMBLINE_BROWSER: text,
  PLUMBLINE_BROWSER_SANDBOX: flag,
  PLUMBLINE_BROWSER_PROXIES: proxies,
};
type WebVariables = z.infer<z.ZodObject<typeof webVariables>>;

export type WebSettings = {
  web: {
    tavily: { apiKey: string; baseUrl: string | null } | null;
    searxng: { baseUrl: string } | null;
    /** `address:port` pairs of an intranet whose pages may be read though they are not public. */
    allowedAddresses: string[];
    /** Web searches that all workers together begin in a second. */
    webPerSecond: number;
    browser: {
      /** Path of Chromium; null: the one on PATH. */
      path: string | null;
      sandbox: boolean;
      /** HTTP proxies to go out through, in turn. */
      proxies: string[];
    };
    /** File with what each tenant allows. */
    tenantsFile: string | null;
  };
};

/** In the form in which connections name it; null: it is none. */
function pairOf(text: string): string | null {
  const [, v4, v6 = '', port] = /^(?:([\d.]+)|\[([\da-f:.]+)\]):(\d{1,5})$/i.exec(text) ?? [];
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  if (v4 !== undefined) return isIP(v4) === 4 ? `${v4}:${Number(port)}` : null;
  return isIP(v6) === 6 ? `${new URL(`http://[${v6}]`).hostname}:${Number(port)}` : null;
}

export function webSettings(e: WebVariables): WebSettings {
  return {
    web: {
      tavily: e.TAVILY_API_KEY === undefined ? null : { apiKey: e.TAVILY_API_KEY, baseUrl: e.TAVILY_BASE_URL ?? null },
      searxng: e.SEARXNG_URL === undefined ? null : { baseUrl: e.SEARXNG_URL },
      allowedAddresses: e.PLUMBLINE_WEB_ALLOWED_ADDRESSES ?? [],
      webPerSecond: e.PLUMBLINE_WEB_PER_SECOND,
      browser: {
        path: pathOf(e.PLUMBLINE_BROWSER),
        sandbox: e.PLUMBLINE_BROWSER_SANDBOX ?? true,
        proxies: e.PLUMBLINE_BROWSER_PROXIES ?? [],
      },
      tenantsFile: pathOf(e.PLUMBLINE_TENANTS),
    },
  };
}
