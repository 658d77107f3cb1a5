import type { Element, Nodes, Root } from 'hast';
import type { DocumentBuilder } from '../document-builder.ts';
import { inlineText } from '../inline-text.ts';
import { childrenOf, isElement } from './elements.ts';
import { isBlock, plainText } from './plain-text.ts';
import { addHtmlTable, isLayoutTable } from './table.ts';

/** Adds the blocks of a tree of visible elements, in document order. */
export function addHast(root: Root | Element, builder: DocumentBuilder): void {
  let line: string[] = [];
  let lineIsItem = false;
  let listDepth = 0;

  const endLine = (): void => {
    const text = line.join('');
    line = [];
    if (inlineText(text) === '') return;
    if (lineIsItem) builder.item(text);
    else builder.paragraph(text);
    lineIsItem = false;
  };
  const walkChildren = (node: Nodes): void => {
    for (const child of childrenOf(node)) walk(child);
  };
  const asItem = (element: Element): void => {
    endLine();
    lineIsItem = true;
    walkChildren(element);
    endLine();
    lineIsItem = false;
  };
  const list = (element: Element): void => {
    endLine();
    if (listDepth === 0) builder.endGroup();
    listDepth += 1;
    if (element.tagName === 'dl') definitionList(element);
    else walkChildren(element);
    endLine();
    listDepth -= 1;
    lineIsItem = false;
  };
  /** A definition alone says nothing: each carries its terms. */
  const definitionList = (element: Element): void => {
    let terms: string[] = [];
    let defined = true;
    for (const child of element.children.flatMap((c) => (isElement(c, 'div') ? c.children : [c]))) {
      const text = inlineText(plainText(child));
      if (isElement(child, 'dt')) {
        terms = defined ? [text] : [...terms, text];
        defined = false;
      } else if (isElement(child, 'dd')) {
        builder.item([terms.join(', '), text].filter((part) => part !== '').join(': '));
        defined = true;
      }
    }
    if (!defined) builder.item(terms.join(', '));
  };
  const walk = (node: Nodes): void => {
    if (node.type !== 'element') {
      line.push(plainText(node));
      return;
    }
    switch (node.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        endLine();
        builder.heading(plainText(node), Number(node.tagName[1]));
        return;
      case 'pre':
        endLine();
        builder.code(childrenOf(node).map(plainText).join(''));
        return;
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
      case 'dl':
        list(node);
        return;
      case 'li':
        asItem(node);
        return;
      case 'table':
        endLine();
        if (isLayoutTable(node)) walkChildren(node);
        else addHtmlTable(node, builder);
        endLine();
        return;
    }
    if (isBlock(node)) {
      endLine();
      walkChildren(node);
      endLine();
    } else if (node.children.some(holdsBlocks)) {
      walkChildren(node);
    } else {
      line.push(plainText(node));
    }
  };
  walkChildren(root);
  endLine();
}

/** Links and spans may wrap whole paragraphs and tables. */
function holdsBlocks(node: Nodes): boolean {
  return node.type === 'element' && (isBlock(node) || node.children.some(holdsBlocks));
}
