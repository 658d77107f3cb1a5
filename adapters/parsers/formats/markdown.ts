import type { Root as HastRoot } from 'hast';
import { raw } from 'hast-util-raw';
import type { Root } from 'mdast';
import { toHast } from 'mdast-util-to-hast';
import { type Document, parseDocument } from 'yaml';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { decodeText } from '../decode-text.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { findAll } from '../hast/elements.ts';
import { plainText } from '../hast/plain-text.ts';
import { addHast } from '../hast/to-blocks.ts';
import { visibleTree } from '../hast/visible.ts';
import { markdownTree } from '../markdown/tree.ts';
import { ParseError } from '../port.ts';

const chunkLength = 64_000;

/** GitHub-flavoured Markdown with YAML front matter. Raw HTML is read as a browser would show it: what is hidden there is not read. */
export async function parseMarkdown(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const source = decodeText(bytes, { format: 'markdown', declared: null }).replace(/^\ufeff/, '');
  const tree = markdownTree(source, chunkLength);
  const frontMatter = frontMatterOf(tree);
  const builder = new DocumentBuilder('markdown', ctx.limits.maxUnpackedBytes);
  const visible = visibleTree(htmlOf(tree), builder);
  addHast(visible, builder);
  const heading = findAll(visible, (element) => element.tagName === 'h1')[0];
  return builder.finish({
    title: stringOr(frontMatter.title, heading === undefined ? null : plainText(heading)),
    language: stringOr(frontMatter.language, stringOr(frontMatter.lang, null)),
    frontMatter,
  });
}

function stringOr(value: unknown, otherwise: string | null): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : otherwise;
}

function htmlOf(tree: Root): HastRoot {
  const hast = raw(toHast(tree, { allowDangerousHtml: true }));
  return hast.type === 'root' ? hast : { type: 'root', children: [] };
}

function frontMatterOf(tree: Root): Record<string, unknown> {
  const first = tree.children[0];
  if (first?.type !== 'yaml') return {};
  const yaml = parseDocument(first.value);
  const error = yaml.errors[0];
  if (error !== undefined) throw invalid(`${error.code}, line ${(error.linePos?.[0].line ?? 0) + 1}`);
  const value = resolved(yaml);
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid('not a list of names and values, line 2');
  }
  return Object.fromEntries(Object.entries(value));
}

/** Aliases are resolved here; the library stops those that would multiply without end. */
function resolved(yaml: Document): unknown {
  try {
    return yaml.toJS();
  } catch (cause) {
    throw invalid('an alias in it cannot be resolved, from line 2', cause);
  }
}

function invalid(why: string, cause?: unknown): ParseError {
  return new ParseError('Document.Corrupt', `The front matter is not valid YAML (${why}).`, {
    format: 'markdown',
    cause,
  });
}
