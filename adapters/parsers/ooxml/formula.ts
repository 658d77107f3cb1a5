import { childAt, elementsOf, type XmlElement, xmlText } from '../xml.ts';

/** A formula (Office Math) on one line, with ^, _, / and √ where position carries the meaning: x = (-b ± √(b^2-4ac))/(2a). */
export function formulaText(element: XmlElement): string {
  const part = (name: string): string => {
    const child = childAt(element, name);
    return child === undefined ? '' : formulaText(child);
  };
  switch (element.name) {
    case 't':
      return xmlText(element);
    case 'sSup':
      return `${part('e')}^${grouped(part('sup'))}`;
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`;
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}^${grouped(part('sup'))}`;
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'rad':
      return `${part('deg')}√${grouped(part('e'))}`;
    case 'd':
      return `(${elementsOf(element)
        .filter((child) => child.name === 'e')
        .map(formulaText)
        .join(', ')})`;
  }
  if (element.name.endsWith('Pr')) return '';
  return elementsOf(element).map(formulaText).join('');
}

function grouped(text: string): string {
  return /^([\p{L}\p{N}.]*|\(.*\))$/u.test(text) ? text : `(${text})`;
}
