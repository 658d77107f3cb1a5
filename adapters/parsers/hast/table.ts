import type { Element } from 'hast';
import type { DocumentBuilder } from '../document-builder.ts';
import { inlineText } from '../inline-text.ts';
import { addTable } from '../table.ts';
import { findAll, isElement, stringProperty } from './elements.ts';
import { plainText } from './plain-text.ts';

interface Row {
  cells: Element[];
  head: boolean;
}

/** Cells beyond this many columns are a trick, not a table. */
const maxColumns = 1_000;

function rowsOf(table: Element): Row[] {
  return findAll(table, (element) => element.tagName === 'tr' || element.tagName === 'table')
    .filter((element) => element.tagName === 'tr')
    .map((row) => {
      const cells = row.children.filter((child): child is Element => isElement(child, 'td', 'th'));
      return { cells, head: cells.length > 0 && cells.every((cell) => cell.tagName === 'th') };
    });
}

/** A table that only arranges the page: it is read cell by cell, as running text. */
export function isLayoutTable(table: Element): boolean {
  if (['presentation', 'none'].includes(stringProperty(table, 'role'))) return true;
  const rows = rowsOf(table);
  return (
    rows.every((row) => row.cells.length <= 1) ||
    findAll(table, (element) => isElement(element, 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre')).length > 0
  );
}

function span(cell: Element, name: 'colSpan' | 'rowSpan'): number {
  const value = Number(cell.properties[name] ?? 1);
  return Number.isInteger(value) && value > 1 ? Math.min(value, maxColumns) : 1;
}

/** Adds a table's rows. A cell over several rows is said in each of them, so that every row can be understood alone. */
export function addHtmlTable(table: Element, builder: DocumentBuilder): void {
  const headSections = new Set(
    findAll(table, (element) => element.tagName === 'thead').flatMap((head) => rowsOf(head).map((row) => row.cells[0])),
  );
  const rows = rowsOf(table);
  let headRows = 0;
  while (headRows < rows.length && (rows[headRows]?.head || headSections.has(rows[headRows]?.cells[0]))) headRows += 1;
  const carried = new Map<number, { text: string; rows: number }>();
  const grid = rows.map((row, index) => {
    const texts: string[] = [];
    const takeCarried = (): void => {
      for (let open = carried.get(texts.length); open !== undefined; open = carried.get(texts.length)) {
        open.rows -= 1;
        if (open.rows === 0) carried.delete(texts.length);
        texts.push(open.text);
      }
    };
    for (const cell of row.cells) {
      takeCarried();
      if (texts.length >= maxColumns) break;
      const text = inlineText(plainText(cell));
      const below = span(cell, 'rowSpan') - 1;
      for (let column = 0; column < span(cell, 'colSpan'); column += 1) {
        if (below > 0) carried.set(texts.length, { text: column === 0 ? text : '', rows: below });
        texts.push(column === 0 || index < headRows ? text : '');
      }
    }
    takeCarried();
    return texts;
  });
  addTable(builder, grid, headRows === 0 ? 'guess' : headRows);
}
