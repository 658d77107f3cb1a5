import type { Element, Root } from 'hast';
import { findAll, stringProperty } from './elements.ts';
import { plainText } from './plain-text.ts';

/** Declarations by property, names and values in lower case. */
export type Style = ReadonlyMap<string, string>;

/** Gives an element's own style: what the page's style sheets say by its tag, class or id, then its style attribute. */
export type StyleOf = (element: Element) => Style;

interface Rule {
  tag: string | null;
  /** Classes as ".x", the id as "#x". */
  names: string[];
  style: Style;
}

/** Rules nested in @media and its like depend on the reader's device: they hide nothing here. */
export function styleReader(root: Root): StyleOf {
  const sheet = findAll(root, (element) => element.tagName === 'style')
    .map((element) => element.children.map(plainText).join(''))
    .join('\n');
  const { rules, shown } = parseSheet(sheet);
  const byKey = Map.groupBy(rules, (rule) => rule.names[0] ?? rule.tag ?? '*');
  return (element) => {
    const names = new Set([
      ...stringProperty(element, 'className')
        .split(' ')
        .map((name) => `.${name}`),
      `#${stringProperty(element, 'id')}`,
    ]);
    const style = new Map<string, string>();
    for (const key of [...names, element.tagName, '*']) {
      for (const rule of byKey.get(key) ?? []) {
        if (rule.tag !== null && rule.tag !== element.tagName) continue;
        if (!rule.names.every((name) => names.has(name))) continue;
        for (const [property, value] of rule.style) {
          // A tab or a menu: hidden until another rule shows it. Its text is part of the page.
          if (property === 'display' && value === 'none' && rule.names.some((name) => shown.has(name))) continue;
          style.set(property, value);
        }
      }
    }
    for (const [property, value] of declarations(stringProperty(element, 'style'))) style.set(property, value);
    return style;
  };
}

function declarations(source: string): Style {
  const found = new Map<string, string>();
  for (const declaration of source.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      found.set(
        declaration.slice(0, colon).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      );
  }
  return found;
}

/** Rules with simple selectors, and the names that any rule at all makes visible. */
function parseSheet(sheet: string): { rules: Rule[]; shown: Set<string> } {
  const rules: Rule[] = [];
  const shown = new Set<string>();
  let depth = 0;
  for (const [, selector = '', brace, body = ''] of sheet
    .replace(/\/\*[^]*?\*\//g, '')
    .matchAll(/([^{}]*)([{}])([^{}]*(?=\}))?/g)) {
    if (brace === '}') depth = Math.max(0, depth - 1);
    if (brace !== '{') continue;
    depth += 1;
    const style = declarations(body);
    const display = style.get('display');
    if (display !== undefined && display !== 'none')
      for (const [name] of selector.matchAll(/[.#][\w-]+/g)) shown.add(name);
    if (depth === 1 && style.size > 0)
      for (const one of selector.split(',')) rules.push(...simpleRule(one.trim(), style));
  }
  return { rules, shown };
}

function simpleRule(selector: string, style: Style): Rule[] {
  const parts = /^([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)$/i.exec(selector);
  if (parts === null || selector === '') return [];
  const names = (parts[2] ?? '').match(/[.#][\w-]+/g) ?? [];
  const tag = parts[1] === undefined || parts[1] === '*' ? null : parts[1].toLowerCase();
  return [{ tag, names, style }];
}
