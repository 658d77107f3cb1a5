import { chromium, errors, type Browser, type Page, type Route } from 'playwright-core';
import { fetchableUrl, refusalWords, type DomainRules } from '../../../domain/web/url-rules.ts';
import { userAgent } from '../harvest/load.ts';
import { statusFailure } from '../harvest/page-failure.ts';
import { PageError } from '../port.ts';

export interface RenderOptions {
  executablePath: string;
  /** Chromium's own sandbox; it needs user namespaces, and refuses to run as root. */
  sandbox: boolean;
  /** Address of the guarding proxy: the only way out. */
  proxyUrl: string;
  domains: DomainRules;
  ports: readonly number[];
  maxCharacters: number;
  timeoutMs: number;
}

/** How long a page may go on loading after its document is there. */
const settleMs = 2_000;
/** What the text of a page can depend on. */
const loaded = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch']);
/** Nothing may get past the proxy: no names resolved, no UDP. */
const args = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-pings',
  '--disable-extensions',
  '--disable-gpu',
  '--no-first-run',
];

/** The page's document once its scripts have run, without what is not seen. A browser of its own, without a past. @throws PageError */
export async function renderedHtml(
  url: string,
  options: RenderOptions,
  signal: AbortSignal,
): Promise<{ url: string; html: string }> {
  const browser = await chromium.launch({
    executablePath: options.executablePath,
    chromiumSandbox: options.sandbox,
    args,
    proxy: { server: options.proxyUrl, bypass: '<-loopback>' },
    timeout: options.timeoutMs,
  });
  const stop = (): void => void browser.close().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await load(browser, url, options);
  } catch (error) {
    signal.throwIfAborted();
    throw browserFailure(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await browser.close();
  }
}

async function load(browser: Browser, url: string, options: RenderOptions): Promise<{ url: string; html: string }> {
  const context = await browser.newContext({
    userAgent,
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    ignoreHTTPSErrors: false,
  });
  const page = await context.newPage();
  await context.route('**/*', (route) => decide(route, page, options));
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (other) => void (other === page ? undefined : other.close().catch(() => undefined)));

  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: options.timeoutMs });
  const status = response?.status() ?? 0;
  if (response && !response.ok()) throw statusFailure(status, (name) => response.headers()[name] ?? null);
  await settled(page);
  const at = page.url();
  const address = fetchableUrl(at, options);
  if (!('url' in address))
    throw new PageError(
      'blocked_url',
      `The page went to an address that may not be fetched: ${refusalWords[address.refused]}.`,
    );
  await page.evaluate(dropUnseen);
  const html = await page.content();
  if (html.length > options.maxCharacters)
    throw new PageError('too_large', `The page holds more than ${options.maxCharacters} characters.`);
  return { url: address.url, html };
}

/** Only what text depends on, only by reading, and for the page itself only where the rules allow it. */
async function decide(route: Route, page: Page, { domains, ports }: RenderOptions): Promise<void> {
  const asked = route.request();
  const isPage = asked.isNavigationRequest() && asked.frame() === page.mainFrame();
  const rules = isPage ? domains : { allowed: [], blocked: domains.blocked };
  const may =
    loaded.has(asked.resourceType()) &&
    asked.method() === 'GET' &&
    'url' in fetchableUrl(asked.url(), { domains: rules, ports });
  await (may ? route.continue() : route.abort('blockedbyclient'));
}

/** A page that never comes to rest is read as it is then. */
async function settled(page: Page): Promise<void> {
  try {
    await page.waitForLoadState('networkidle', { timeout: settleMs });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
  }
}

/** Runs in the page, whose scripts may have hidden what its markup shows. */
const dropUnseen = `for (const element of document.querySelectorAll('body *')) {
  const { display, visibility, opacity, fontSize } = getComputedStyle(element);
  if (display === 'none' || visibility === 'hidden' || Number(opacity) === 0 || fontSize === '0px') element.remove();
}`;

/** The one place where a failure of the browser becomes a `PageError`. */
function browserFailure(error: unknown): unknown {
  if (error instanceof PageError || !(error instanceof Error)) return error;
  if (error instanceof errors.TimeoutError)
    return new PageError('timeout', 'The page was too slow.', { retryable: true, cause: error });
  const noPage = () =>
    new PageError('unsupported_type', 'The address leads to a file that is no page.', { cause: error });
  if (error.message.includes('Download is starting')) return noPage();
  const [, code] = /net::(ERR_[A-Z_]+)/.exec(error.message) ?? [];
  if (code === undefined) return new PageError('unavailable', 'The browser failed.', { retryable: true, cause: error });
  if (code === 'ERR_BLOCKED_BY_CLIENT')
    return new PageError('blocked_url', 'The address may not be fetched.', { cause: error });
  if (code === 'ERR_TOO_MANY_REDIRECTS')
    return new PageError('too_many_redirects', 'The page redirects without end.', { cause: error });
  if (code === 'ERR_ABORTED') return noPage();
  return new PageError('unavailable', `The site cannot be reached (${code}).`, { retryable: true, cause: error });
}
