import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { decodeText } from '../decode-text.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { documentLines } from '../inline-text.ts';
import { addPlainText } from '../plain-text-blocks.ts';

/** Plain text. Its first heading, if the first block is one, is its title. */
export async function parseText(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('text', ctx.limits.maxUnpackedBytes);
  addPlainText(documentLines(decodeText(bytes, { format: 'text', declared: null })), builder);
  const [first] = builder.blocks;
  const document = builder.finish();
  return first?.kind === 'heading'
    ? { ...document, title: document.text.slice(first.start, first.end).slice(0, 500) }
    : document;
}
