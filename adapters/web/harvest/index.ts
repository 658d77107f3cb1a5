import { webPorts } from '../../../domain/web/url-rules.ts';
import { PageError, type PageFetcher } from '../port.ts';
import { charsetOf, inUtf8 } from './charset.ts';
import type { GuardOptions } from './address-guard.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { load } from './load.ts';
import { acceptedTypes, pageName } from './page-types.ts';
import { inTime, readPage, type PageParser } from './read-page.ts';
import { createRobotsRules } from './robots.ts';

export interface HarvestOptions extends GuardOptions {
  parser: PageParser;
  /** Which addresses may name; the guard says which of them are reached where. Default: 80 and 443. */
  ports?: readonly number[];
}

/** How long reading what a search sent may take. */
const readTimeoutMs = 10_000;

/** Pages by HTTP, read by the same parser as documents. Scripts do not run: a page that needs them holds little text. */
export function createPageFetcher({ parser, ports = webPorts, ...guard }: HarvestOptions): PageFetcher {
  const dispatcher = createGuardedAgent(guard);
  const robots = createRobotsRules();
  return {
    fetch: (url, limits, signal) =>
      inTime(limits.timeoutMs, signal, async (stop) => {
        const connection = { dispatcher, ports, signal: stop };
        const loaded = await load(url, {
          ...connection,
          ...limits,
          accept: acceptedTypes,
          beforeHop: async (hop) => (limits.robots ? robots.check(hop, connection) : undefined),
          beforeBody: (header) => void nameFor(header('content-type')),
        });
        const type = loaded.header('content-type');
        const name = nameFor(type);
        const bytes = name === 'page.pdf' ? loaded.bytes : inUtf8(loaded.bytes, charsetOf(type));
        return readPage(parser, { url: loaded.url, bytes, name, title: null }, stop);
      }),
    read: (result, signal) =>
      inTime(readTimeoutMs, signal, async (stop) => {
        const text = result.rawContent?.trim() || result.content.trim();
        if (text === '') throw new PageError('unreadable', 'The search sent no text of the page.');
        const bytes = Buffer.from(text.toWellFormed());
        return readPage(parser, { url: result.url, bytes, name: 'page.md', title: result.title }, stop);
      }),
    close: () => dispatcher.close(),
  };
}

function nameFor(contentType: string | null): string {
  const name = pageName(contentType);
  if (name === null) throw new PageError('unsupported_type', 'The address leads to a file that is no page.');
  return name;
}
