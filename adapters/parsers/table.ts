import type { DocumentBuilder } from './document-builder.ts';

const numeric = /^[\s\p{Sc}(+-]*\d[\d\s.,:/'%-]*[\p{L}%\p{Sc}]{0,3}\)?$/u;

/**
 * Whether a table's first row names its columns, where the file does not say: every column named (half of them, if
 * `lenient`), none by a number, no name twice, and either a column of numbers below or, for sheets of data (`lenient`), any row below.
 */
function looksLikeHeader(grid: readonly (readonly string[])[], lenient: boolean): boolean {
  const [first, ...rest] = grid;
  if (first === undefined || first.length < 2 || rest.length === 0) return false;
  const names = first.map((cell) => cell.trim());
  const blank = names.filter((name) => name === '').length;
  if (blank > (lenient ? names.length / 2 : 0) || names.some((name) => numeric.test(name) || name.length > 80))
    return false;
  if (new Set(names).size < names.length - Math.max(0, blank - 1)) return false;
  return lenient || names.some((_, column) => rest.every((row) => numeric.test(row[column] ?? '')));
}

/** Several header rows as one: each column's names from top to bottom, repeated ones said once. */
function mergedHeader(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? ''))].filter((name) => name !== '').join(' '),
  );
}

/** Adds a table given as cells. `headRows`: how many rows at the top are the header, or `guess` to find out from the cells. */
export function addTable(
  builder: DocumentBuilder,
  grid: readonly (readonly string[])[],
  headRows: number | 'guess' | 'lenient',
): void {
  const filled = grid.filter((row) => row.some((cell) => cell.trim() !== ''));
  const heads =
    typeof headRows === 'number'
      ? Math.min(headRows, filled.length)
      : Number(looksLikeHeader(filled, headRows === 'lenient'));
  builder.endGroup();
  const header = heads === 0 ? null : builder.header(mergedHeader(filled.slice(0, heads)));
  for (const row of filled.slice(heads)) builder.row(row, header);
  builder.endGroup();
}
