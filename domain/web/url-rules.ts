/** A name stands for itself and all below it. `allowed` empty: every domain that is not blocked. Blocked wins. */
export interface DomainRules {
  allowed: string[];
  blocked: string[];
}

export const anyDomain: DomainRules = { allowed: [], blocked: [] };

/** Ports of the web. */
export const webPorts: readonly number[] = [80, 443];

export type UrlRefusal = 'malformed' | 'scheme' | 'credentials' | 'port' | 'domain';

/** Why an address may not be fetched, in words that go on after a colon. */
export const refusalWords: Readonly<Record<UrlRefusal, string>> = {
  malformed: 'it is no whole address',
  scheme: 'only http and https addresses are read',
  credentials: 'it holds a user name or password',
  port: 'its port is not allowed',
  domain: 'its domain is not allowed',
};

/**
 * An address that may be fetched as far as can be told without resolving it, in its normal form and without a fragment; else why not.
 * Decimal, octal and hexadecimal forms of IPv4 addresses come out as four decimal numbers (WHATWG URL).
 */
export function fetchableUrl(
  raw: string,
  { domains, ports = webPorts }: { domains: DomainRules; ports?: readonly number[] },
): { url: string } | { refused: UrlRefusal } {
  const url = URL.parse(raw);
  if (url === null) return { refused: 'malformed' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { refused: 'scheme' };
  if (url.username !== '' || url.password !== '') return { refused: 'credentials' };
  if (!ports.includes(portOf(url))) return { refused: 'port' };
  if (!domainAllowed(url.hostname, domains)) return { refused: 'domain' };
  url.hash = '';
  return { url: url.href };
}

/** Whether a host, as a URL has it, falls under the rules. */
export function domainAllowed(host: string, { allowed, blocked }: DomainRules): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  const isBelow = (domain: string): boolean => {
    const wanted = asciiName(domain);
    return name === wanted || name.endsWith(`.${wanted}`);
  };
  if (blocked.some(isBelow)) return false;
  return allowed.length === 0 || allowed.some(isBelow);
}

/** As URLs have it: bücher.example is xn--bcher-kva.example. */
function asciiName(domain: string): string {
  return URL.parse(`https://${domain}`)?.hostname ?? domain.toLowerCase();
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
