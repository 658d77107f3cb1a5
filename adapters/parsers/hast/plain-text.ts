import type { Element, Nodes } from 'hast';
import { childrenOf, stringProperty } from './elements.ts';

const blockTags = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary ' +
    'table tbody td tfoot th thead tr caption ul'
  ).split(' '),
);

const superscripts: Record<string, string> = Object.fromEntries(
  [...'0123456789+-n'].map((c, i) => [c, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ'][i] ?? c]),
);

export function isBlock(element: Element): boolean {
  return blockTags.has(element.tagName);
}

/** Raised digits stay raised: "10<sup>2</sup>" is 10², never 102. */
function raised(text: string): string {
  return /^[0-9+\-n]+$/.test(text) ? [...text].map((c) => superscripts[c] ?? c).join('') : text;
}

/** The words of one node on one line, before normalisation: alternative texts of images, blocks set apart by white space. */
export function plainText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return childrenOf(node).map(plainText).join('');
  switch (node.tagName) {
    case 'br':
      return '\n';
    case 'img':
      return ` ${stringProperty(node, 'alt')} `;
    case 'input':
      return checkbox(node);
  }
  const text = node.children.map(plainText).join('');
  switch (node.tagName) {
    case 'sup':
      return raised(text);
    case 'q':
      return `“${text}”`;
  }
  return isBlock(node) ? `\n${text}\n` : text;
}

function checkbox(input: Element): string {
  if (stringProperty(input, 'type') !== 'checkbox') return '';
  return input.properties.checked ? '[x] ' : '[ ] ';
}
