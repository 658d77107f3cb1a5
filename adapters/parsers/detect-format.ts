import { fileTypeFromBuffer } from 'file-type';
import type { DocumentFormat } from '../../domain/contracts/parsed-document.ts';
import { decodeText, isBinary, isText } from './decode-text.ts';
import { ParseError } from './port.ts';

/** What the bytes are: a format of text, a PDF, or a zip whose entries must decide. */
export type DetectedFormat = Exclude<DocumentFormat, 'docx' | 'xlsx' | 'pptx'> | 'zip';

const startBytes = 4_100;
const ooxml = /^application\/(zip|vnd\.openxmlformats|vnd\.ms-(word|excel|powerpoint)\.)/;

/**
 * Tells the format by content; the name decides only between kinds of text that look alike. Throws `Document.UnknownType`,
 * `Document.Encrypted` (Office files under a password) or `Document.Undecodable`.
 */
export async function detectFormat(bytes: Uint8Array, name: string): Promise<DetectedFormat> {
  if (latin(bytes.subarray(0, 1024)).includes('%PDF-')) return 'pdf';
  if (latin(bytes.subarray(0, 4)) === 'PK\u0003\u0004' || latin(bytes.subarray(0, 4)) === 'PK\u0005\u0006')
    return 'zip';
  if (isText(bytes)) return textFormat(bytes, name);
  const type = await fileTypeFromBuffer(bytes.subarray(0, startBytes));
  if (type !== undefined && ooxml.test(type.mime)) return 'zip';
  if (type?.mime === 'application/x-cfb') return compoundFile(bytes);
  if (type !== undefined) throw unknownType(`This is a ${type.mime} file, which is not supported.`);
  if (!isBinary(bytes)) return textFormat(bytes, name);
  throw unknownType('The content is of no known document type.');
}

/** Word, Excel and PowerPoint files under a password are compound files with an `EncryptedPackage`; others are their formats of before 2007. */
function compoundFile(bytes: Uint8Array): never {
  if (latin(bytes).includes([...'EncryptedPackage'].join('\0'))) {
    throw new ParseError('Document.Encrypted', 'The document is protected by a password.');
  }
  throw unknownType(
    'This is an Office or mail file in the binary format of before 2007. Save it in the present format.',
  );
}

function textFormat(bytes: Uint8Array, name: string): DetectedFormat {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const byName = formatByExtension.get(extension);
  // Undecodable bytes of a page or mail may name their own encoding, which only their parser knows.
  const start = isText(bytes)
    ? decodeText(bytes, { format: byName ?? 'text', declared: null }).slice(0, 4_000)
    : latin(bytes.subarray(0, 4_000));
  const body = start.replace(/^\ufeff/, '').replace(/^(\s|<!--[^]*?-->|<\?xml[^>]*>)+/, '');
  if (/^<(!doctype\s+html|html)[\s>]/i.test(body)) return 'html';
  if (body.startsWith('{\\rtf')) throw unknownType('This is an RTF file, which is not supported.');
  if (/^\s*\ufeff?<\?xml/.test(start) || /^<(svg|!doctype)\b/i.test(body))
    throw unknownType('This is an XML file, which is not supported.');
  if (byName !== 'markdown' && byName !== 'csv' && isMail(start, byName === 'eml')) return 'eml';
  if (byName !== undefined && byName !== 'eml') return byName;
  if (/^<(head|body|meta|title|div|p|table|h1)\b/i.test(body)) return 'html';
  return extension === '' && looksLikeMarkdown(start) ? 'markdown' : 'text';
}

const formatByExtension = new Map<string, Exclude<DetectedFormat, 'pdf' | 'zip'>>([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['mdown', 'markdown'],
  ['mkd', 'markdown'],
  ['mdx', 'markdown'],
  ['txt', 'text'],
  ['text', 'text'],
  ['log', 'text'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['eml', 'eml'],
]);

/** A message starts with header fields; without the name's word for it, one that only mail systems write must be there. */
function isMail(start: string, named: boolean): boolean {
  const head = start.replace(/^\ufeff?(From .*\r?\n)?/, '').split(/\r?\n\r?\n/)[0] ?? '';
  const lines = head.split(/\r?\n/);
  if (!lines.every((line, index) => /^[!-9;-~]+:/.test(line) || (index > 0 && /^[ \t]/.test(line)))) return false;
  if (!/^(from|to|subject|date|received|return-path):/im.test(head)) return false;
  return named || (/^(mime-version|message-id|received):/im.test(head) && /^(from|date):/im.test(head));
}

function looksLikeMarkdown(start: string): boolean {
  return /^\ufeff?---\r?\n/.test(start) || /^#{1,6} \S/m.test(start) || /^```/m.test(start);
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function unknownType(message: string): ParseError {
  return new ParseError('Document.UnknownType', message);
}
