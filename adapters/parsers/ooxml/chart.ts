import type { DocumentBuilder } from '../document-builder.ts';
import { addTable } from '../table.ts';
import { attributeOf, childAt, elementsOf, findXml, type XmlElement, xmlText } from '../xml.ts';

/** Adds a chart as the table that it is drawn from: one row for each category, one column for each series. */
export function addChart(chart: XmlElement, builder: DocumentBuilder): void {
  const title = findXml(chart, 'title')[0];
  if (title !== undefined) builder.paragraph(findXml(title, 't').map(xmlText).join(''));
  const series = findXml(chart, 'ser').map((element) => ({
    name: points(childAt(element, 'tx')).get(0) ?? '',
    categories: points(childAt(element, 'cat') ?? childAt(element, 'xVal')),
    values: points(childAt(element, 'val') ?? childAt(element, 'yVal')),
  }));
  const [first] = series;
  if (first === undefined) return;
  const indices = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((p, q) => p - q);
  const rows = indices.map((index) => [
    first.categories.get(index) ?? String(index + 1),
    ...series.map(({ values }) => values.get(index) ?? ''),
  ]);
  addTable(builder, [['', ...series.map(({ name }) => name)], ...rows], 1);
}

function points(element: XmlElement | undefined): Map<number, string> {
  if (element === undefined) return new Map();
  return new Map(
    findXml(element, 'pt').map((point) => [
      Number(attributeOf(point, 'idx') ?? 0),
      shownNumber(elementsOf(point).map(xmlText).join('')),
    ]),
  );
}

/** Numbers without the noise of binary fractions. */
function shownNumber(text: string): string {
  return /^-?\d+\.\d{15,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : text;
}
