import { format, getFormatFromId, isDateFormat } from 'numfmt';
import { attributeOf, childAt, elementsOf, type XmlElement } from '../xml.ts';

/** Shows a number as a cell of the given style (`s` attribute) does. */
export type CellFormatter = (value: number, style: number) => string;

/** Built-in formats that each reader's machine shows in its own order of day and month: written as ISO, so that nobody has to guess. */
const localeFormats = new Map([
  [14, 'yyyy-mm-dd'],
  [22, 'yyyy-mm-dd hh:mm'],
]);
const daysTo1904 = 1_462;

/** Number formats of a workbook's styles part (ECMA-376 part 1, 18.8.30 and 18.8.31). */
export function cellFormatter(styles: XmlElement | null, date1904: boolean): CellFormatter {
  const custom = new Map(
    elementsOf(childAt(styles ?? undefined, 'numFmts') ?? empty).map((f) => [
      Number(attributeOf(f, 'numFmtId')),
      attributeOf(f, 'formatCode') ?? 'General',
    ]),
  );
  const formats = elementsOf(childAt(styles ?? undefined, 'cellXfs') ?? empty).map((xf) => {
    const id = Number(attributeOf(xf, 'numFmtId') ?? 0);
    const pattern = localeFormats.get(id) ?? custom.get(id) ?? builtIn(id);
    return pattern.startsWith('[$-F800]') ? 'yyyy-mm-dd' : pattern;
  });
  return (value, style) => {
    const pattern = formats[style] ?? 'General';
    return shown(pattern, date1904 && isDate(pattern) ? value + daysTo1904 : value);
  };
}

const empty: XmlElement = { name: '', prefixed: '', attributes: {}, children: [] };

function builtIn(id: number): string {
  const pattern: unknown = getFormatFromId(id);
  return typeof pattern === 'string' && pattern !== '' ? pattern : 'General';
}

function isDate(pattern: string): boolean {
  return pattern !== 'General' && isDateFormat(pattern);
}

/** Formats that the library can't read, or that would hide the value, leave the plain number. */
function shown(pattern: string, value: number): string {
  if (pattern === 'General') return plain(value);
  const text = format(pattern, value, { throws: false, invalid: '' }).trim();
  return text === '' || text.startsWith('####') ? plain(value) : text;
}

/** As Excel's General does, without the noise of binary fractions. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)));
}
