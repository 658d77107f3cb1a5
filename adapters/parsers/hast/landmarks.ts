import type { Element, Root } from 'hast';
import { inlineText } from '../inline-text.ts';
import { findAll, isElement, stringProperty, without } from './elements.ts';
import { plainText } from './plain-text.ts';

const boilerplateRoles = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'menu', 'menubar']);
/** Share of an element's characters inside links from which it is a menu, not prose. */
const menuLinkDensity = 0.6;
/** A main element with less than this share of the page's text is the shell of something else. */
const leastMainShare = 0.25;

const isMain = (element: Element): boolean =>
  isElement(element, 'main', 'article') || stringProperty(element, 'role') === 'main';
const isNavigation = (element: Element): boolean =>
  element.tagName === 'nav' || stringProperty(element, 'role') === 'navigation';
const isLandmark = (element: Element): boolean =>
  isElement(element, 'nav', 'header', 'footer', 'aside') || boilerplateRoles.has(stringProperty(element, 'role'));

function textLength(element: Element | Root): number {
  return inlineText(plainText(element)).length;
}

function linkDensity(element: Element): number {
  const links = findAll(element, (child) => child.tagName === 'a').reduce((sum, link) => sum + textLength(link), 0);
  return links / Math.max(1, textLength(element));
}

/**
 * The page without its boilerplate: menus, banners, footers and side bars outside of the main part where the page marks one, and
 * everywhere those that consist of links. A page that is nothing else is left whole.
 */
export function withoutBoilerplate(root: Root): Root {
  const mains = findAll(root, isMain);
  const mainLength = mains.reduce((sum, main) => sum + textLength(main), 0);
  const marked = mainLength >= leastMainShare * textLength(root) && mainLength > 0;
  const inMain = new Set<Element>(mains.flatMap((main) => findAllDeep(main, isLandmark)));
  const reduced = without(root, (element) => {
    if (!isLandmark(element)) return false;
    if (inMain.has(element)) return isNavigation(element) || linkDensity(element) >= menuLinkDensity;
    return marked ? findAll(element, isMain).length === 0 : linkDensity(element) >= menuLinkDensity;
  });
  return textLength(reduced) === 0 ? root : reduced;
}

function findAllDeep(node: Element, matches: (element: Element) => boolean): Element[] {
  return findAll(node, matches).flatMap((found) => [found, ...findAllDeep(found, matches)]);
}
