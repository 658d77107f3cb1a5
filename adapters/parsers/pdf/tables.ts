import type { Line } from './reading-order.ts';

/** Number of lines from `index` on that are rows of one table: at least two cells each, beginning or ending under one another. */
export function tableAt(lines: readonly Line[], index: number): number {
  let length = 0;
  for (let line = lines[index]; line !== undefined && line.cells.length > 1; line = lines[index + length]) {
    const above = lines[index + length - 1];
    if (length > 0 && above !== undefined && (above.column !== line.column || !aligned(above, line))) break;
    length += 1;
  }
  return length;
}

function aligned(above: Line, below: Line): boolean {
  const tolerance = Math.max(above.size, below.size);
  const shared = below.cells.filter((cell) =>
    above.cells.some(
      (other) =>
        Math.abs(other.x - cell.x) < tolerance ||
        Math.abs(other.end - cell.end) < tolerance ||
        Math.abs(other.x + other.end - cell.x - cell.end) < 2 * tolerance,
    ),
  );
  return shared.length >= 2 || shared.length === Math.min(above.cells.length, below.cells.length);
}

/** Cells placed under the columns of the row with the most of them, so that a missing value does not shift the rest. */
export function alignedRows(lines: readonly Line[]): string[][] {
  const widest = lines.reduce((best, line) => (line.cells.length > best.cells.length ? line : best));
  return lines.map((line) => {
    const row = widest.cells.map(() => '');
    let from = 0;
    for (const cell of line.cells) {
      const middle = (cell.x + cell.end) / 2;
      const distance = (column: number): number => {
        const other = widest.cells[column];
        return other === undefined
          ? Number.POSITIVE_INFINITY
          : Math.min(
              Math.abs(other.x - cell.x),
              Math.abs((other.x + other.end) / 2 - middle),
              Math.abs(other.end - cell.end),
            );
      };
      let column = from;
      for (let candidate = from; candidate < row.length; candidate += 1)
        if (distance(candidate) < distance(column)) column = candidate;
      if (column >= row.length) column = row.length - 1;
      row[column] = [row[column], cell.text].filter((text) => text !== '').join(' ');
      from = column + 1;
    }
    return row;
  });
}
