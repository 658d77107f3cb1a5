import { ParseError } from '../port.ts';
import { scanXml } from '../xml.ts';
import type { CellFormatter } from './cell-format.ts';

/** Texts of a row's cells that have any, by column from 0. */
export type SheetRow = Map<number, string>;

export interface SheetContext {
  strings: readonly string[];
  format: CellFormatter;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  value: string[];
}

interface MergedRange {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Reads a worksheet as a stream of blocks of rows: an empty row ends a block. Cells merged downwards are said in each of their rows;
 * the columns that a merged cell covers hold an empty text, since they are not gaps between tables.
 */
export function readSheet(bytes: Uint8Array, ctx: SheetContext, onBlock: (rows: SheetRow[]) => void): void {
  const merged = mergedRanges(bytes);
  const carried = new Map<MergedRange, string>();
  let block: SheetRow[] = [];
  let row: SheetRow = new Map();
  let rowNumber = 0;
  let lastWithText = 0;
  let cell: Cell | null = null;
  let inValue = false;

  const endBlock = (): void => {
    if (block.length > 0) onBlock(block);
    block = [];
  };
  const endRow = (): void => {
    for (const range of merged.get(rowNumber) ?? []) {
      const text = rowNumber === range.top ? row.get(range.left) : carried.get(range);
      if (text === undefined) continue;
      carried.set(range, text);
      row.set(range.left, text);
      for (let column = range.left + 1; column <= range.right; column += 1) row.set(column, row.get(column) ?? '');
    }
    if (row.size === 0) return;
    if (rowNumber > lastWithText + 1) endBlock();
    lastWithText = rowNumber;
    block.push(row);
  };

  scanXml(bytes, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = new Map();
        rowNumber = Number(attributes.r ?? rowNumber + 1);
      } else if (name === 'c') {
        const column = attributes.r === undefined ? (cell?.column ?? -1) + 1 : columnOf(attributes.r);
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: [] };
      }
      inValue = name === 'v' || name === 't';
    },
    text: (text) => {
      if (inValue) cell?.value.push(text);
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false;
      if (name === 'row') {
        endRow();
        cell = null;
      }
      if (name === 'c' && cell !== null) {
        const text = cellText(cell, ctx).trim();
        if (text !== '') row.set(cell.column, text);
      }
    },
  });
  endBlock();
}

function cellText(cell: Cell, ctx: SheetContext): string {
  const value = cell.value.join('');
  switch (cell.type) {
    case 's':
      return ctx.strings[Number(value)] ?? '';
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'n':
      return value.trim() === '' || Number.isNaN(Number(value)) ? value : ctx.format(Number(value), cell.style);
    default:
      return value;
  }
}

/** Column of a reference like "AB12", from 0. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined)
    throw new ParseError('Document.Corrupt', 'A cell of the sheet has no valid place.', { format: 'xlsx' });
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Most rows that one merged cell is repeated in, and most columns it counts for; larger ones are decoration. */
const maxMerged = 1_000;

/** Merged cells, by each row they cover. They stand after the cells in the file, hence a pass of their own. */
function mergedRanges(bytes: Uint8Array): Map<number, MergedRange[]> {
  const byRow = new Map<number, MergedRange[]>();
  scanXml(bytes, {
    open: (name, attributes) => {
      const corners = name === 'mergeCell' ? /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(attributes.ref ?? '') : null;
      if (corners === null) return;
      const [, left = '', top, right = '', bottom] = corners;
      const range = { left: columnOf(left), right: columnOf(right), top: Number(top), bottom: Number(bottom) };
      if (range.bottom - range.top > maxMerged || range.right - range.left > maxMerged) return;
      for (let number = range.top; number <= range.bottom; number += 1)
        byRow.set(number, [...(byRow.get(number) ?? []), range]);
    },
  });
  return byRow;
}
