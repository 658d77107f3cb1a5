import { fromHtml } from 'hast-util-from-html';
import PostalMime, { type Address } from 'postal-mime';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { addHast } from '../hast/to-blocks.ts';
import { visibleTree } from '../hast/visible.ts';
import { documentLines, inlineText } from '../inline-text.ts';
import { addPlainText } from '../plain-text-blocks.ts';

/** A mail message: a first block with who wrote when about what, then its body. Attachments are named in warnings, not read. */
export async function parseEml(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const mail = await PostalMime.parse(bytes);
  const builder = new DocumentBuilder('eml', ctx.limits.maxUnpackedBytes);
  const fields: [string, string | undefined][] = [
    ['Subject', mail.subject],
    ['From', addressText(mail.from)],
    ['To', mail.to?.map(addressText).join(', ')],
    ['Cc', mail.cc?.map(addressText).join(', ')],
    ['Date', mail.date],
  ];
  const known = fields.filter(([, value]) => value !== undefined && value.trim() !== '');
  builder.paragraph(known.map(([name, value]) => `${name}: ${value}`).join('; '));
  if (mail.html !== undefined && mail.html.trim() !== '') {
    addHast(visibleTree(fromHtml(mail.html), builder), builder);
  } else {
    addPlainText(
      documentLines(mail.text ?? '').map((line) => line.replace(/^(> ?)+/, '')),
      builder,
    );
  }
  for (const { filename, mimeType } of mail.attachments) {
    builder.warn({
      code: 'embedded_object_skipped',
      message: 'An attachment of the message was not read.',
      part: filename ?? mimeType,
    });
  }
  return builder.finish({ title: inlineText(mail.subject ?? '') });
}

function addressText(address: Address | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (address.group !== undefined) return address.name;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}
