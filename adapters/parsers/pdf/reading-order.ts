import type { PageText, Run } from './page-text.ts';

/** One printed line of a column. `cells`: its parts where wide gaps set them apart; one in running text. */
export interface Line {
  cells: { text: string; x: number; end: number }[];
  x: number;
  end: number;
  y: number;
  size: number;
  /** Number of the column it stands in, counted through the page: lines of different columns are never joined. */
  column: number;
}

/** Gap in ems that sets table cells apart. */
const cellGap = 1.5;
/** Characters a run has on average where a column holds prose; a table's columns hold less. */
const proseCharacters = 22;

/** The page's lines in reading order: from the top down, columns of prose one after the other. */
export function linesOf(page: PageText): Line[] {
  const lines: Line[] = [];
  let column = 0;
  for (const region of regions(page.runs, page.width)) {
    for (const line of linesOfColumn(region)) lines.push({ ...line, column });
    column += 1;
  }
  return lines;
}

/** Splits runs into columns where a gutter of white runs through prose on both sides, and into bands where something crosses the gutter. */
function regions(runs: readonly Run[], width: number): Run[][] {
  const gutter = findGutter(runs, width);
  if (gutter === null) return [[...runs]];
  const crossing = runs.filter((run) => run.x < gutter && run.x + run.width > gutter).sort((p, q) => p.y - q.y);
  const result: Run[][] = [];
  let rest = runs.filter((run) => !crossing.includes(run));
  const addColumns = (band: Run[]): void => {
    const sides = [band.filter((run) => run.x < gutter), band.filter((run) => run.x >= gutter)].filter(
      (side) => side.length > 0,
    );
    // A gutter inside a side is looked for in turn, for pages of three columns and more.
    for (const side of sides) result.push(...(sides.length > 1 ? regions(side, width) : [side]));
  };
  for (const cross of crossing) {
    addColumns(rest.filter((run) => run.y < cross.y - 0.5 * cross.size));
    rest = rest.filter((run) => run.y >= cross.y - 0.5 * cross.size);
    const last = result.at(-1);
    if (last?.every((run) => crossing.includes(run))) last.push(cross);
    else result.push([cross]);
  }
  addColumns(rest);
  return result;
}

function findGutter(runs: readonly Run[], width: number): number | null {
  if (runs.length < 12) return null;
  const left = Math.min(...runs.map((run) => run.x));
  const right = Math.max(...runs.map((run) => run.x + run.width));
  const span = right - left;
  if (span < 0.25 * width) return null;
  let best: { x: number; crossing: number } | null = null;
  for (let x = left + 0.2 * span; x <= right - 0.2 * span; x += 3) {
    const crossing = runs.filter((run) => run.x < x && run.x + run.width > x).length;
    if (crossing > 0.15 * runs.length) continue;
    const before = runs.filter((run) => run.x + run.width <= x);
    const after = runs.filter((run) => run.x >= x);
    if (!isProse(before, x - left) || !isProse(after, right - x)) continue;
    if (best === null || crossing < best.crossing) best = { x, crossing };
  }
  return best?.x ?? null;
}

/** Many long runs that fill their column. */
function isProse(runs: readonly Run[], columnWidth: number): boolean {
  if (runs.length < 5) return false;
  const characters = runs.reduce((sum, run) => sum + run.text.length, 0) / runs.length;
  const full = runs.filter((run) => run.width > 0.6 * columnWidth).length;
  return characters >= proseCharacters && full >= 0.5 * runs.length;
}

function linesOfColumn(runs: readonly Run[]): Omit<Line, 'column'>[] {
  const rows: Run[][] = [];
  for (const run of [...runs].sort((p, q) => p.y - q.y || p.x - q.x)) {
    const row = rows.slice(-3).find((candidate) => candidate.some((other) => onOneLine(other, run)));
    if (row === undefined) rows.push([run]);
    else row.push(run);
  }
  return rows.map(asLine);
}

/** Raised and lowered characters belong to the line whose height they share. */
function onOneLine(p: Run, q: Run): boolean {
  const overlap = Math.min(p.y, q.y) - Math.max(p.y - 0.8 * p.size, q.y - 0.8 * q.size);
  return overlap > 0.5 * 0.8 * Math.min(p.size, q.size);
}

function asLine(row: readonly Run[]): Omit<Line, 'column'> {
  const rightToLeft = row.filter((run) => run.rightToLeft).length > row.length / 2;
  const ordered = [...row].sort((p, q) => (rightToLeft ? q.x - p.x : p.x - q.x));
  const size = Math.max(...row.map((run) => run.size));
  const cells: Line['cells'] = [];
  for (const run of ordered) {
    const last = cells.at(-1);
    const gap = last === undefined ? 0 : rightToLeft ? last.x - (run.x + run.width) : run.x - last.end;
    // A mark before a list item is no cell.
    if (last === undefined || (gap > cellGap * size && !isMark(last.text))) {
      cells.push({ text: run.text, x: run.x, end: run.x + run.width });
    } else {
      last.text += (gap > 0.14 * size ? ' ' : '') + run.text;
      last.x = Math.min(last.x, run.x);
      last.end = Math.max(last.end, run.x + run.width);
    }
  }
  return {
    cells,
    x: Math.min(...cells.map((cell) => cell.x)),
    end: Math.max(...cells.map((cell) => cell.end)),
    y: Math.max(...row.filter((run) => run.size > 0.8 * size).map((run) => run.y)),
    size,
  };
}

function isMark(text: string): boolean {
  return /^\s*(?:[^\p{L}\p{N}\s|]|\(?[\p{L}\p{N}]{1,3}[.)]|(?:\d{1,2}\.){1,3}\d{0,2})\s*$/u.test(text);
}
