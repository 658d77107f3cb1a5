import type { Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { decodeText } from '../decode-text.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { articleOf } from '../hast/article.ts';
import { findAll, isElement, stringProperty } from '../hast/elements.ts';
import { withoutBoilerplate } from '../hast/landmarks.ts';
import { plainText } from '../hast/plain-text.ts';
import { addHast } from '../hast/to-blocks.ts';
import { visibleTree } from '../hast/visible.ts';
import { inlineText } from '../inline-text.ts';

/** Readable content of a web page: what a reader sees, without menus and banners. Title from the title element, else the first h1. */
export async function parseHtml(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const tree = fromHtml(decodeText(bytes, { format: 'html', declared: declaredCharset(bytes) }));
  const builder = new DocumentBuilder('html', ctx.limits.maxUnpackedBytes);
  const visible = visibleTree(tree, builder);
  const content = ctx.article === true ? articleOf(visible) : null;
  addHast(content ?? withoutBoilerplate(visible), builder);
  const html = findAll(tree, (element) => element.tagName === 'html')[0];
  return builder.finish({
    title: titleOf(tree, visible),
    language: html === undefined ? null : stringProperty(html, 'lang'),
  });
}

function titleOf(tree: Root, visible: Root): string | null {
  const head = findAll(tree, (element) => element.tagName === 'head')[0];
  const title = head?.children.find((child) => isElement(child, 'title'));
  const named = title === undefined ? '' : inlineText(plainText(title));
  if (named !== '') return named;
  const heading = findAll(visible, (element) => element.tagName === 'h1')[0];
  return heading === undefined ? null : plainText(heading);
}

/** The encoding that the page's own meta element names, looked for where the HTML standard says: the first 1,024 bytes. */
function declaredCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return (
    /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]+encoding=["']([\w.-]+)/.exec(start)?.[1] ??
    null
  );
}
