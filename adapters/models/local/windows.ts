import type { Tokens } from './tokenizer.ts';

/**
 * Splits a text's tokens into consecutive windows of at most `limit` tokens, of nearly equal length, that together hold every
 * token once. A window begins at the start of a word unless a single word fills half a window. An empty text is one empty window.
 */
export function tokenWindows({ ids, pieces }: Tokens, limit: number): number[][] {
  const windows: number[][] = [];
  const continuesWord = (at: number) => pieces[at]?.startsWith('##') ?? false;
  let start = 0;
  do {
    const rest = ids.length - start;
    const size = Math.ceil(rest / Math.max(1, Math.ceil(rest / limit)));
    const full = start + size;
    let end = full;
    while (continuesWord(end) && end - 1 > start + size / 2) end--;
    if (continuesWord(end)) end = full;
    windows.push(ids.slice(start, end));
    start = end;
  } while (start < ids.length);
  return windows;
}

/** Mean over the rows of a row-major matrix, scaled to unit length. `rows × columns` values; all rows count. */
export function meanRow(values: Float32Array, columns: number): Float32Array {
  const sum = new Float64Array(columns);
  for (let at = 0; at < values.length; at += columns) {
    for (let column = 0; column < columns; column++) sum[column]! += values[at + column]!;
  }
  return toUnitLength(sum);
}

/** Mean of unit vectors weighted by the number of tokens behind each, scaled to unit length. */
export function weightedMean(parts: { vector: Float32Array; tokens: number }[]): Float32Array {
  const [first, ...others] = parts;
  if (first === undefined) throw new RangeError('no vectors to average');
  if (others.length === 0) return first.vector;
  const sum = new Float64Array(first.vector.length);
  for (const { vector, tokens } of parts) vector.forEach((value, column) => (sum[column]! += value * tokens));
  return toUnitLength(sum);
}

function toUnitLength(values: Float64Array): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
