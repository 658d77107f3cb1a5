import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import { PageError } from '../../adapters/web/port.ts';
import { limits, oneParser } from '../../test/web/support/page-fetching.ts';
import { privateAddresses, strangersResolver } from '../../test/web/support/private-addresses.ts';
import { startWebServer } from '../../test/web/support/web-server.ts';

/** How many addresses of this machine and of private networks a page fetcher gets through to. */
export async function reachedAddresses(): Promise<{ reached: number; of: number }> {
  const inside = await startWebServer((_, response) => void response.writeHead(200).end('inside'));
  const parser = oneParser();
  const fetcher = createPageFetcher({ parser, resolve: strangersResolver, ports: [inside.port] });
  let reached = 0;
  for (const address of privateAddresses) {
    const before = inside.connections();
    const url = address.replace('PORT', String(inside.port));
    const got = await fetcher.fetch(url, { ...limits, timeoutMs: 2_000 }, new AbortController().signal).then(
      () => true,
      (error: unknown) => !(error instanceof PageError && error.code === 'blocked_address'),
    );
    if (got || inside.connections() > before) reached += 1;
  }
  await fetcher.close();
  await Promise.all([inside.close(), parser.close()]);
  return { reached, of: privateAddresses.length };
}
