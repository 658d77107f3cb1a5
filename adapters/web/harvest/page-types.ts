import type { DocumentFormat } from '../../../domain/contracts/parsed-document.ts';

/** Names by which the parser tells kinds of text apart; it goes by the content first. */
const names = new Map([
  ['text/html', 'page.html'],
  ['application/xhtml+xml', 'page.html'],
  ['application/pdf', 'page.pdf'],
  ['application/x-pdf', 'page.pdf'],
  ['text/plain', 'page.txt'],
  ['text/markdown', 'page.md'],
]);
const readable = new Set<DocumentFormat>(['html', 'pdf', 'text', 'markdown']);

export const acceptedTypes = 'text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown';

/** A file name for a page of that content type; null for what is no page. Servers that do not say, or say "some bytes", leave it to the content. */
export function pageName(contentType: string | null): string | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/octet-stream') return 'page';
  return names.get(type) ?? null;
}

/** Whether what the parser found is a kind of page: a spreadsheet under the name of a web page is none. */
export function isPageFormat(format: DocumentFormat): boolean {
  return readable.has(format);
}
