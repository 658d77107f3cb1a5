import type { Element, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import { parseHTML } from 'linkedom';
import { Readability } from '@mozilla/readability';
import { inlineText } from '../inline-text.ts';
import { findAll, without } from './elements.ts';
import { plainText } from './plain-text.ts';

/** Share of a page's text outside of links from which its article is the page's content, not one part of it. */
const leastShare = 0.5;

/**
 * The main part of a page that does not mark it, by Mozilla's Readability. Null where that finds none, or would lose a table or more than half of
 * what is no link. The tree must be of visible elements: Readability drops the styles that would tell what is hidden.
 */
export function articleOf(visible: Root): Root | null {
  const { document } = parseHTML(toHtml(visible));
  const content = new Readability(document, { charThreshold: 200, disableJSONLD: true }).parse()?.content;
  if (typeof content !== 'string') return null;
  const article = fromHtml(content, { fragment: true });
  return isWhole(article, visible) ? article : null;
}

function isWhole(article: Root, page: Root): boolean {
  const isTable = (element: Element): boolean => element.tagName === 'table';
  if (findAll(article, isTable).length < findAll(page, isTable).length) return false;
  return proseLength(article) >= leastShare * proseLength(page);
}

function proseLength(root: Root): number {
  return inlineText(plainText(without(root, (element) => element.tagName === 'a'))).length;
}
