import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';

export type Content = ElementContent | RootContent;

export function childrenOf(node: Nodes): Content[] {
  return 'children' in node ? node.children : [];
}

export function isElement(node: Nodes, ...tagNames: string[]): node is Element {
  return node.type === 'element' && (tagNames.length === 0 || tagNames.includes(node.tagName));
}

/** All descendant elements that match, in document order. Does not look inside a match. */
export function findAll(node: Nodes, matches: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  for (const child of childrenOf(node)) {
    if (child.type !== 'element') continue;
    if (matches(child)) found.push(child);
    else found.push(...findAll(child, matches));
  }
  return found;
}

export function stringProperty(element: Element, name: string): string {
  const value = element.properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === null || value === undefined ? '' : String(value);
}

/** A copy of the tree without the elements that `drops` names; their siblings and parents stay as they are. */
export function without(root: Root, drops: (element: Element) => boolean): Root {
  const copy = <T extends Content>(node: T): T =>
    node.type === 'element' ? { ...node, children: kept(node.children) } : node;
  const kept = <T extends Content>(nodes: T[]): T[] =>
    nodes.filter((node) => node.type !== 'element' || !drops(node)).map(copy);
  return { ...root, children: kept(root.children) };
}
