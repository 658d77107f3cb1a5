import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { vocabularyOf } from '../pdf/hyphenation.ts';
import { addPage, styleOf } from '../pdf/page-blocks.ts';
import { type PageText, readPage } from '../pdf/page-text.ts';
import { linesOf } from '../pdf/reading-order.ts';
import { ParseError } from '../port.ts';

const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Text of a PDF page by page, in reading order, with headings by size of type, tables by alignment and the values of form fields.
 * Pages without text are named in a warning; a file that has none at all is `Document.NoText`.
 */
export async function parsePdf(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const document = await openPdf(bytes);
  try {
    return await readDocument(document, ctx);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function readDocument(document: PDFDocumentProxy, ctx: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('pdf', ctx.limits.maxUnpackedBytes);
  if (document.numPages > ctx.limits.maxPages) {
    throw new ParseError(
      'Document.TooManyPages',
      `The document has ${document.numPages} pages; at most ${ctx.limits.maxPages} are read.`,
      { format: 'pdf' },
    );
  }
  const pages = await readPages(document, builder, ctx);
  const lines = pages.map(linesOf);
  const style = styleOf(lines, vocabularyOf(lines.flat().flatMap((line) => line.cells.map((cell) => cell.text))));
  pages.forEach((page, index) => {
    builder.page = page.number;
    addPage(lines[index] ?? [], style, builder);
    if (page.turned.length > 0) builder.paragraph(page.turned.join(' '));
    for (const field of page.fields) builder.paragraph(field);
  });
  const withText = new Set(builder.blocks.map((block) => block.page));
  const empty = pages.map((page) => page.number).filter((number) => !withText.has(number));
  if (empty.length > 0 && withText.size > 0) {
    builder.warn({
      code: 'no_text_on_page',
      message: `No text on ${pageList(empty)}: pictures of text are not read.`,
      pages: empty,
    });
  }
  await warnOfAttachments(document, builder);
  const { info } = await document.getMetadata();
  const parsed = builder.finish({
    title: titleFrom(info),
    language: stringOf(info, 'Language'),
    pages: document.numPages,
  });
  const heading = parsed.blocks.find((block) => block.kind === 'heading' && block.page === 1);
  return {
    ...parsed,
    title: parsed.title ?? (heading === undefined ? null : parsed.text.slice(heading.start, heading.end)),
  };
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: join(pdfjs, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(pdfjs, 'standard_fonts/'),
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    return await task.promise;
  } catch (cause) {
    if (Reflect.get(Object(cause), 'name') === 'PasswordException') {
      throw new ParseError('Document.Encrypted', 'The document is protected by a password.', { format: 'pdf', cause });
    }
    throw new ParseError('Document.Corrupt', 'The PDF is damaged and could not be opened.', { format: 'pdf', cause });
  }
}

async function readPages(document: PDFDocumentProxy, builder: DocumentBuilder, ctx: ParseContext): Promise<PageText[]> {
  const pages: PageText[] = [];
  const damaged: number[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    try {
      const page = await document.getPage(number);
      const read = await readPage(page, number);
      page.cleanup();
      characters += read.runs.reduce((sum, run) => sum + run.text.length, 0);
      pages.push(read);
    } catch {
      damaged.push(number);
    }
    if (characters > ctx.limits.maxUnpackedBytes) {
      throw new ParseError(
        'Document.TooLargeUnpacked',
        `The document unpacks to more than ${ctx.limits.maxUnpackedBytes} characters of text.`,
        { format: 'pdf' },
      );
    }
  }
  if (pages.length === 0)
    throw new ParseError('Document.Corrupt', 'No page of the PDF could be read.', { format: 'pdf' });
  if (damaged.length > 0) {
    builder.warn({ code: 'part_skipped', message: `${pageList(damaged)} could not be read: damaged.`, pages: damaged });
  }
  return pages;
}

async function warnOfAttachments(document: PDFDocumentProxy, builder: DocumentBuilder): Promise<void> {
  const attachments = await document.getAttachments();
  for (const { filename } of attachments?.values() ?? []) {
    builder.warn({
      code: 'embedded_object_skipped',
      message: 'A file attached to the PDF was not read.',
      part: String(filename),
    });
  }
}

function stringOf(info: object, name: string): string | null {
  const value: unknown = Reflect.get(info, name);
  return typeof value === 'string' ? value : null;
}

/** Titles that programs put in by themselves say nothing. */
function titleFrom(info: object): string | null {
  const title = stringOf(info, 'Title')?.trim() ?? '';
  return title === '' ||
    /^(untitled|microsoft (word|powerpoint|excel) ?-|.*\.(docx?|pptx?|xlsx?|pdf|tex|dvi|indd|qxd)$)/i.test(title)
    ? null
    : title;
}

function pageList(pages: readonly number[]): string {
  return `${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}`;
}
