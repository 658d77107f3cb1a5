import { attributeOf, childAt, elementsOf, findXml, isOn, type XmlElement, xmlText } from '../xml.ts';
import { formulaText } from './formula.ts';

/**
 * A Word part without what its reader does not see (hidden text; white text outside of tables and shading) and with what mammoth
 * would drop written as text: formulas, on one line, and the numbers of `numbers` before their paragraphs.
 */
export function simplifyWordXml(root: XmlElement, numbers: ReadonlyMap<XmlElement, string> = new Map()): XmlElement {
  const simplify = (element: XmlElement, onPaper: boolean): XmlElement | null => {
    if (element.name === 'oMath' || element.name === 'oMathPara') return run(root, ` ${formulaText(element)} `);
    if (element.name === 'r' && isHiddenRun(element, onPaper)) return null;
    const inside =
      onPaper && !['tbl', 'txbxContent'].includes(element.name) && childAt(element, 'pPr', 'shd') === undefined;
    const children = element.children
      .map((child) => (typeof child === 'string' ? child : simplify(child, inside)))
      .filter((child) => child !== null);
    const number = numbers.get(element);
    if (number !== undefined)
      children.splice(childAt(element, 'pPr') === undefined ? 0 : 1, 0, run(root, `${number} `));
    return { ...element, children };
  };
  return simplify(root, true) ?? root;
}

function isHiddenRun(element: XmlElement, onPaper: boolean): boolean {
  const properties = childAt(element, 'rPr');
  const vanish = childAt(properties, 'vanish');
  if (vanish !== undefined && isOn(attributeOf(vanish, 'val') ?? 'on')) return true;
  const white = /^f{6}$/i.test(attributeOf(childAt(properties, 'color'), 'val') ?? '');
  return onPaper && white && childAt(properties, 'shd') === undefined && childAt(properties, 'highlight') === undefined;
}

/** A run under the name (prefix) that the part itself uses. */
function run(root: XmlElement, text: string): XmlElement {
  const prefix = root.prefixed.includes(':') ? `${root.prefixed.split(':')[0] ?? ''}:` : '';
  const element = (name: string, children: XmlElement['children']): XmlElement => ({
    name,
    prefixed: prefix + name,
    attributes: {},
    children,
  });
  return element('r', [{ ...element('t', [text]), attributes: { 'xml:space': 'preserve' } }]);
}

/** The paragraphs of a part of WordprocessingML or DrawingML, in order, those of nested boxes apart. */
export function paragraphTexts(root: XmlElement): string[] {
  return findXml(root, 'p').flatMap((paragraph) => [
    ownText(paragraph),
    ...nestedBoxes(paragraph).flatMap(paragraphTexts),
  ]);
}

function nestedBoxes(paragraph: XmlElement): XmlElement[] {
  return findXml(paragraph, 'txbxContent');
}

function ownText(element: XmlElement): string {
  return elementsOf(element)
    .map((child) => {
      if (child.name === 't') return xmlText(child);
      if (child.name === 'tab' || child.name === 'br' || child.name === 'cr') return ' ';
      return ['txbxContent', 'pPr', 'rPr', 'instrText', 'delText', 'Fallback'].includes(child.name)
        ? ''
        : ownText(child);
    })
    .join('');
}
