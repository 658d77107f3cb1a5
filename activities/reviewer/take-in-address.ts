import { PageError, type PageErrorCode, type PageFetcher } from '../../adapters/web/port.ts';
import type { TenantRules } from '../../adapters/store/port.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import { combinedWebRules } from '../../domain/web/combine-rules.ts';
import { givenTextHash } from './given-text-hash.ts';
import type { TakenIn } from './taken-in.ts';

/** One page that a person asked for may take longer than one of many found by a search. */
const pageLimits = { maxBytes: 20 * 2 ** 20, maxUnpackedBytes: 40 * 2 ** 20, timeoutMs: 30_000, maxRedirects: 5 };
/** A run waits no longer for a site that names a time: the reviewer is told, and decides. */
const patienceMs = 30_000;

const other = 'Save it and send the file, or paste its text.';
const remedies: Record<PageErrorCode, string> = {
  blocked_url: 'Give a plain http or https address of a site that the rules allow, or paste its text.',
  blocked_address: `${other} An operator can let addresses of the house be read: PLUMBLINE_WEB_ALLOWED_ADDRESSES.`,
  blocked_by_robots: other,
  too_many_redirects: 'Give the address that it leads to at last.',
  too_large: other,
  unsupported_type: 'Save it and send the file.',
  not_found: 'Look whether the address is right.',
  refused: other,
  rate_limited: 'Try again later, or paste its text.',
  unavailable: 'Try again later, or paste its text.',
  timeout: other,
  bad_response: other,
  unreadable: 'It may show its text only in a browser: open it there and paste the text, or send it as a PDF.',
};

export interface TakeInAddress {
  tenant: string;
  url: string;
  web: WebPolicy;
  /** What may pass is not waited for any more, but told. */
  lastTry: boolean;
}

/**
 * Fetches a page that a reviewer named, under the rules for the web of tenant and policy: where these want a person to be asked, that is done.
 * @throws PageError for what may pass soon, unless this is the last try; TenantRulesError
 */
export async function takeInAddress(
  { pages, tenantRules }: { pages: PageFetcher; tenantRules: TenantRules },
  { tenant, url, web, lastTry }: TakeInAddress,
  signal: AbortSignal,
): Promise<TakenIn> {
  const rules = combinedWebRules(web, await tenantRules.web(tenant));
  if (rules.mode === 'never')
    return {
      refusal: 'The page was not fetched: this tenant or policy lets nothing be read on the web. Paste its text.',
    };
  try {
    const page = await pages.fetch(url, { ...pageLimits, domains: rules.domains, robots: web.robots }, signal);
    const { title, document } = page;
    const contentHash = givenTextHash({ uri: page.url, title, text: document.text });
    return { page: { ...page, contentHash }, losses: document.warnings.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof PageError) || (maySoonPass(error) && !lastTry)) throw error;
    return { refusal: `The page cannot be used: ${error.message} ${remedies[error.code]}` };
  }
}

function maySoonPass({ retryable, retryAfterMs }: PageError): boolean {
  return retryable && (retryAfterMs ?? 0) <= patienceMs;
}
