import type { Element, Root } from 'hast';
import type { DocumentBuilder } from '../document-builder.ts';
import { type Content, findAll, isElement, stringProperty } from './elements.ts';
import { styleReader } from './style.ts';
import { type Inherited, inheritedBy, isLegible, isStruckOut, isUnseen } from './visibility.ts';

/**
 * The tree as a reader sees it: comments, scripts, hidden elements and invisible ink are gone. Struck-out text is left out too, with a
 * warning to `builder`.
 */
export function visibleTree(root: Root, builder: DocumentBuilder): Root {
  const styled = findAll(root, isStyleSheet).length > 0;
  const styleOf = styleReader(root);
  let struckOut = false;
  const kept = <T extends Content>(nodes: T[], outer: Inherited): T[] => {
    const legible = isLegible(outer, styled);
    const result: T[] = [];
    for (const node of nodes) {
      if (node.type === 'text' && legible) result.push(node);
      if (node.type !== 'element') continue;
      const style = styleOf(node);
      if (isUnseen(node, style) || (isElement(node, 'img', 'input') && !legible)) continue;
      if (isStruckOut(node, style)) struckOut = true;
      else result.push({ ...node, children: kept(node.children, inheritedBy(node, style, outer)) });
    }
    return result;
  };
  const visible = {
    ...root,
    children: kept(root.children, { background: null, ink: null, tiny: false, invisible: false }),
  };
  if (struckOut)
    builder.warn({ code: 'part_skipped', message: 'Struck-out text was left out.', part: 'struck-out text' });
  return visible;
}

function isStyleSheet(element: Element): boolean {
  return (
    element.tagName === 'style' || (element.tagName === 'link' && stringProperty(element, 'rel').includes('stylesheet'))
  );
}
