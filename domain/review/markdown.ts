import type { Passage } from '../contracts/document.ts';

const bullet = /^[-*+•]\s+(?=\S)/u;
const punctuation = /[!-/:-@[-`{-~]/g;

/** A text as Markdown that reads as that very text: its lines stay apart, list items stay items, and nothing else in it is syntax. */
export function plainMarkdown(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines
    .map((line) => (bullet.test(line) ? `- ${escaped(line.replace(bullet, ''))}` : escaped(line)))
    .join('\n\n');
}

/** CommonMark lets every ASCII punctuation character be escaped. */
function escaped(line: string): string {
  return line.replace(punctuation, '\\$&');
}

type Part = Pick<Passage, 'start' | 'text' | 'strips'>;
/** A strip with its own text. */
type Piece = Passage['strips'][number] & { text: string };

/** Passages of one document as Markdown, in its order; rows of a table under their header, and what two passages share once. */
export function passagesMarkdown(passages: readonly Part[]): string {
  return runsOf(piecesOf(passages))
    .map(blockOf)
    .filter((block) => block !== '')
    .join('\n\n');
}

function piecesOf(passages: readonly Part[]): Piece[] {
  const all = passages.flatMap(({ start, text, strips }) =>
    strips.map((strip) => ({ ...strip, text: text.slice(strip.start - start, strip.end - start) })),
  );
  let covered = -1;
  return all
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      const fresh = start >= covered;
      if (fresh) covered = end;
      return fresh;
    });
}

/** Stretches of pieces that belong to one table, or to none. */
function runsOf(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last?.[0] && tableOf(last[0]) === tableOf(piece)) last.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

function tableOf({ kind, header }: Piece): number | null {
  return kind === 'row' && header !== null ? header.start : null;
}

function blockOf(run: readonly Piece[]): string {
  const header = run[0]?.kind === 'row' ? run[0].header : null;
  if (header === null) return plainMarkdown(run.map(({ text }) => text).join('\n'));
  return tableMarkdown(
    cellsOf(header.text),
    run.map(({ text }) => cellsOf(text)),
  );
}

/** As the parsers write rows. */
function cellsOf(row: string): string[] {
  return row.split(' | ');
}

/** Cells are one line each. */
export function tableMarkdown(header: readonly string[], rows: readonly string[][]): string {
  return [header.map(cell), header.map(() => '---'), ...rows.map((row) => row.map(cell))].map(rowOf).join('\n');
}

function cell(text: string): string {
  return escaped(text.replace(/\s+/g, ' ').trim());
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
