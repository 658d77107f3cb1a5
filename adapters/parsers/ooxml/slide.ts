import type { DocumentBuilder } from '../document-builder.ts';
import { addTable } from '../table.ts';
import { attributeOf, childAt, elementsOf, findXml, isOn, type XmlElement, xmlText } from '../xml.ts';

const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Adds the text of a slide's shapes: the title first, then in the order of the file. `only`: just the placeholders of that type. */
export function addShapes(slide: XmlElement, builder: DocumentBuilder, options: { only?: string } = {}): void {
  const shapes = findXml(slide, 'sp', 'graphicFrame', 'AlternateContent').flatMap((shape) =>
    shape.name === 'AlternateContent' ? alternative(shape) : [shape],
  );
  const wanted = shapes.filter(
    (shape) =>
      !isHidden(shape) &&
      !furniture.has(placeholder(shape) ?? '') &&
      (options.only === undefined || placeholder(shape) === options.only),
  );
  const ranked = [...wanted].sort((p, q) => Number(isTitle(q)) - Number(isTitle(p)));
  for (const shape of ranked) {
    const table = findXml(shape, 'tbl')[0];
    if (table !== undefined) addSlideTable(table, builder);
    else if (shape.name === 'sp') addTextBody(shape, builder);
  }
}

/** The first of the alternatives that holds text: they say the same for newer and older programs. */
function alternative(element: XmlElement): XmlElement[] {
  const choices = elementsOf(element).map((choice) => findXml(choice, 'sp', 'graphicFrame'));
  return choices.find((found) => found.some((shape) => findXml(shape, 't').length > 0)) ?? [];
}

function placeholder(shape: XmlElement): string | undefined {
  const element = childAt(shape, 'nvSpPr', 'nvPr', 'ph');
  return element === undefined ? undefined : (attributeOf(element, 'type') ?? 'body');
}

function isTitle(shape: XmlElement): boolean {
  return ['title', 'ctrTitle'].includes(placeholder(shape) ?? '');
}

function isHidden(shape: XmlElement): boolean {
  const properties = childAt(shape, 'nvSpPr', 'cNvPr') ?? childAt(shape, 'nvGraphicFramePr', 'cNvPr');
  return isOn(attributeOf(properties, 'hidden'));
}

function addTextBody(shape: XmlElement, builder: DocumentBuilder): void {
  const body = childAt(shape, 'txBody');
  if (body === undefined) return;
  const paragraphs = elementsOf(body).filter((child) => child.name === 'p');
  builder.endGroup();
  if (isTitle(shape)) {
    builder.heading(paragraphs.map(paragraphText).join('\n'), 1);
    return;
  }
  const list =
    placeholder(shape) === 'body' &&
    paragraphs.filter((paragraph) => paragraphText(paragraph).trim() !== '').length > 1;
  for (const paragraph of paragraphs) {
    const properties = childAt(paragraph, 'pPr');
    const bulleted = childAt(properties, 'buChar') ?? childAt(properties, 'buAutoNum');
    const plain = childAt(properties, 'buNone') !== undefined;
    if (bulleted !== undefined || (list && !plain)) builder.item(paragraphText(paragraph));
    else builder.paragraph(paragraphText(paragraph));
  }
}

function paragraphText(paragraph: XmlElement): string {
  return elementsOf(paragraph)
    .map((child) => {
      if (child.name === 'br') return '\n';
      if (child.name === 't') return xmlText(child);
      return ['pPr', 'rPr', 'endParaRPr'].includes(child.name) ? '' : paragraphText(child);
    })
    .join('');
}

function addSlideTable(table: XmlElement, builder: DocumentBuilder): void {
  const above = new Map<number, string>();
  const grid = findXml(table, 'tr').map((row) =>
    elementsOf(row)
      .filter((cell) => cell.name === 'tc')
      .map((cell, column) => {
        const own = findXml(cell, 'p').map(paragraphText).join('\n');
        const text = isOn(attributeOf(cell, 'vMerge')) ? (above.get(column) ?? '') : own;
        above.set(column, text);
        return text;
      }),
  );
  addTable(builder, grid, isOn(attributeOf(childAt(table, 'tblPr'), 'firstRow')) ? 1 : 'guess');
}
