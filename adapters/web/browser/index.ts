import { fetchableUrl, refusalWords, webPorts } from '../../../domain/web/url-rules.ts';
import { createAddressGuard, type GuardOptions } from '../harvest/address-guard.ts';
import { createGuardedAgent } from '../harvest/guarded-agent.ts';
import { inTime, readPage, type PageParser } from '../harvest/read-page.ts';
import { createRobotsRules } from '../harvest/robots.ts';
import { PageError, type PageFetcher } from '../port.ts';
import { openGuardingProxy } from './guarding-proxy.ts';
import { renderedHtml } from './render.ts';

export interface BrowserOptions extends GuardOptions {
  executablePath: string;
  sandbox: boolean;
  parser: PageParser;
  ports?: readonly number[];
  /** Addresses of HTTP proxies to go out through, each page by the next; none: directly. */
  proxies?: readonly string[];
}

/**
 * Pages as a browser shows them once their scripts have run. Each in a browser of its own, whose every connection goes through a proxy of ours that
 * reaches public addresses only, whatever name, redirect or script leads elsewhere.
 */
export function createBrowserFetcher(options: BrowserOptions): PageFetcher {
  const { parser, executablePath, sandbox, ports = webPorts, proxies = [] } = options;
  const guard = createAddressGuard(options);
  const agent = createGuardedAgent(options);
  const robots = createRobotsRules();
  let turn = 0;
  return {
    fetch: (url, limits, signal) =>
      inTime(limits.timeoutMs, signal, async (stop) => {
        const { domains, maxUnpackedBytes, timeoutMs } = limits;
        const address = fetchableUrl(url, { domains, ports });
        if (!('url' in address))
          throw new PageError('blocked_url', `The address may not be fetched: ${refusalWords[address.refused]}.`);
        if (limits.robots) await robots.check(address.url, { dispatcher: agent, ports, signal: stop });
        const next = proxies[turn++ % Math.max(1, proxies.length)];
        const through = next === undefined ? null : new URL(next);
        const proxy = await openGuardingProxy({ guard, ports, proxy: through, maxBytes: maxUnpackedBytes });
        try {
          const rendering = { executablePath, sandbox, proxyUrl: proxy.url, domains, ports, timeoutMs };
          const cut = AbortSignal.any([stop, proxy.exceeded]);
          const page = await renderedHtml(address.url, { ...rendering, maxCharacters: limits.maxBytes }, cut);
          const bytes = Buffer.from(page.html.toWellFormed());
          return await readPage(parser, { url: page.url, bytes, name: 'page.html', title: null }, stop);
        } catch (error) {
          // What the browser could not reach because it may not is told as that.
          throw proxy.exceeded.aborted ? error : (proxy.refusal() ?? error);
        } finally {
          await proxy.close();
        }
      }),
    read: () => Promise.reject(new PageError('unreadable', 'A browser reads pages, not texts.')),
    close: () => agent.close(),
  };
}
