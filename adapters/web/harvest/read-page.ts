import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import { normaliseText } from '../../../domain/text/normalise.ts';
import { givesOrders } from '../../../domain/untrusted/orders.ts';
import { strangerDocument } from '../../../domain/untrusted/stranger-document.ts';
import type { DocumentParser } from '../../parsers/port.ts';
import { withDeadline } from '../deadline.ts';
import { PageError, type WebPage } from '../port.ts';
import { toPageError } from './page-failure.ts';
import { isPageFormat } from './page-types.ts';

/** Reads pages in a process of its own: they are the work of strangers. */
export type PageParser = Pick<DocumentParser, 'parse'>;

/** Work on a page under a time limit; what it throws becomes a `PageError`. */
export async function inTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
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

/** The page that some bytes hold. `name`: a file name that tells the type. `title`: for a page that names none itself. @throws PageError, ParseError */
export async function readPage(
  parser: PageParser,
  source: { url: string; bytes: Uint8Array; name: string; title: string | null },
  signal: AbortSignal,
): Promise<WebPage> {
  return pageOf(source.url, await parsed(parser, source, signal), source.title);
}

async function parsed(
  parser: PageParser,
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
  return normaliseText(title ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed();
}
