import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import { normaliseText } from '../../../domain/text/normalise.ts';
import { givesOrders } from '../../../domain/untrusted/orders.ts';
import { strangerDocument } from '../../../domain/untrusted/stranger-document.ts';
import { webPorts } from '../../../domain/web/url-rules.ts';
import type { DocumentParser } from '../../parsers/port.ts';
import { withDeadline } from '../deadline.ts';
import { PageError, type PageFetcher, type WebPage } from '../port.ts';
import { charsetOf, inUtf8 } from './charset.ts';
import { createGuardedAgent, type GuardOptions } from './guarded-agent.ts';
import { load } from './load.ts';
import { toPageError } from './page-failure.ts';
import { acceptedTypes, isPageFormat, pageName } from './page-types.ts';
import { createRobotsRules } from './robots.ts';

export interface HarvestOptions extends GuardOptions {
  /** Reads what was fetched in a process of its own: pages are the work of strangers. */
  parser: Pick<DocumentParser, 'parse'>;
  /** Default: 80 and 443. */
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
        return pageOf(loaded.url, await parsed(parser, { bytes, name }, stop), null);
      }),
    read: (result, signal) =>
      inTime(readTimeoutMs, signal, async (stop) => {
        const text = result.rawContent?.trim() || result.content.trim();
        if (text === '') throw new PageError('unreadable', 'The search sent no text of the page.');
        const bytes = Buffer.from(text.toWellFormed());
        return pageOf(result.url, await parsed(parser, { bytes, name: 'page.md' }, stop), result.title);
      }),
    close: () => dispatcher.close(),
  };
}

async function inTime<T>(timeoutMs: number, signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const overTime = () => new PageError('timeout', `The page was not read within ${timeoutMs} ms.`, { retryable: true });
  return withDeadline(
    async (stop) => {
      try {
        return await work(stop);
      } catch (error) {
        throw toPageError(error);
      }
    },
    { signal, timeoutMs, overTime },
  );
}

function nameFor(contentType: string | null): string {
  const name = pageName(contentType);
  if (name === null) throw new PageError('unsupported_type', 'The address leads to a file that is no page.');
  return name;
}

async function parsed(
  parser: HarvestOptions['parser'],
  { bytes, name }: { bytes: Uint8Array; name: string },
  signal: AbortSignal,
): Promise<ParsedDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-page-'));
  try {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const document = await parser.parse({ path, name, article: true }, signal);
    if (isPageFormat(document.format)) return document;
    throw new PageError('unsupported_type', `The address leads to a ${document.format} file, which is no page.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The page without what is meant for a program that reads it. @throws PageError `unreadable` when that is all there was */
function pageOf(url: string, parsed: ParsedDocument, title: string | null): WebPage {
  const { hostname } = new URL(url);
  const document = strangerDocument(parsed, hostname);
  if (document === null) throw new PageError('unreadable', 'The page holds nothing but orders and links elsewhere.');
  const shown = inlineTitle(title);
  return {
    url,
    title: document.title ?? (shown === '' || givesOrders(shown, 'stranger') ? hostname : shown),
    fetchedAt: new Date().toISOString(),
    contentHash: createHash('sha256')
      .update(JSON.stringify([url, document.text]))
      .digest('hex'),
    document,
  };
}

/** As the search has it, on one line. */
function inlineTitle(title: string | null): string {
  return normaliseText(title ?? '').replace(/\s+/g, ' ').trim().slice(0, 500).toWellFormed();
}
