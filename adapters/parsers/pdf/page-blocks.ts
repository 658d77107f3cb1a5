import type { DocumentBuilder } from '../document-builder.ts';
import { addTable } from '../table.ts';
import { joinLines, type Vocabulary } from './hyphenation.ts';
import type { Line } from './reading-order.ts';
import { alignedRows, tableAt } from './tables.ts';

/** What the whole document says about its pages. */
export interface DocumentStyle {
  vocabulary: Vocabulary;
  /** Size of most of the text, in points. */
  bodySize: number;
  /** Sizes of headings, largest first; a heading's level is its place. */
  headingSizes: number[];
}

/** How much larger than the body a heading's letters are. */
const headingRatio = 1.15;
const maxHeadingLength = 160;

export function styleOf(pages: readonly (readonly Line[])[], vocabulary: Vocabulary): DocumentStyle {
  const charactersBySize = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = roundedSize(line.size);
    charactersBySize.set(size, (charactersBySize.get(size) ?? 0) + textOf(line).length);
  }
  const bodySize = [...charactersBySize].sort((p, q) => q[1] - p[1])[0]?.[0] ?? 0;
  const headingSizes = [...charactersBySize.keys()]
    .filter((size) => size >= headingRatio * bodySize)
    .sort((p, q) => q - p);
  return { vocabulary, bodySize, headingSizes };
}

/** Adds one page's lines as headings, tables, list items and paragraphs. */
export function addPage(lines: readonly Line[], style: DocumentStyle, builder: DocumentBuilder): void {
  const parts = partsOf(lines);
  for (const [index, part] of parts.entries()) {
    if (part.table) addTable(builder, alignedRows(part.lines), 'guess');
    else addBlock(part.lines, { style, next: parts[index + 1] }, builder);
  }
  builder.endGroup();
}

interface Part {
  lines: readonly Line[];
  table: boolean;
}

function partsOf(lines: readonly Line[]): Part[] {
  const leading = typicalLeading(lines);
  const parts: Part[] = [];
  let index = 0;
  while (index < lines.length) {
    const start = index;
    const rows = tableAt(lines, index);
    if (rows > 1) {
      index += rows;
    } else {
      index += 1;
      while (index < lines.length && goesOn(lines, index, leading) && tableAt(lines, index) < 2) index += 1;
    }
    parts.push({ lines: lines.slice(start, index), table: rows > 1 });
  }
  return parts;
}

function addBlock(
  lines: readonly Line[],
  { style, next }: { style: DocumentStyle; next: Part | undefined },
  builder: DocumentBuilder,
): void {
  const text = lines.map(textOf).reduce((above, below) => joinLines(above, below, style.vocabulary));
  const size = roundedSize(lines[0]?.size ?? 0);
  const level = style.headingSizes.indexOf(size) + 1;
  if (level > 0 && text.length <= maxHeadingLength && /\p{L}/u.test(text)) builder.heading(text, level);
  else if (itemMark.test(text)) builder.item(text.replace(bulletMark, ''));
  else if (lines.length === 1 && size >= style.bodySize && isCaption(text, next))
    builder.heading(text, style.headingSizes.length + 1);
  else builder.paragraph(text);
}

/** A short line of its own, without the end of a sentence, over a text of some length: a heading in letters no larger than the body's. */
function isCaption(text: string, next: Part | undefined): boolean {
  if (next === undefined || next.table || !/^[\p{Lu}\p{N}]/u.test(text) || !/\p{L}{3}/u.test(text)) return false;
  if (text.length > 80 || text.split(/\s+/).length > 10 || /[.;,:]\s*$/.test(text)) return false;
  const below = next.lines.map(textOf).join(' ');
  return below.length >= 100 || itemMark.test(below);
}

const bulletMark = /^\s*(?:[•‣◦▪■□●○–·➢✓✔\uf000-\uf0ff]|[-*](?=\s)|o(?=\s\s*\p{Lu}))\s*/u;
const itemMark = /^\s*(?:[•‣◦▪■□●○·➢✓✔\uf000-\uf0ff]|[-–*]\s|o\s\p{Lu}|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)/u;

function textOf(line: Line): string {
  return line.cells.map((cell) => cell.text).join(' ');
}

function roundedSize(size: number): number {
  return Math.round(size * 2) / 2;
}

function typicalLeading(lines: readonly Line[]): number {
  const gaps = lines
    .slice(1)
    .map((line, index) => ({
      gap: line.y - (lines[index]?.y ?? 0),
      same: line.column === lines[index]?.column,
      size: line.size,
    }))
    .filter(({ gap, same, size }) => same && gap > 0.5 * size && gap < 3 * size)
    .map(({ gap, size }) => gap / size)
    .sort((p, q) => p - q);
  return gaps[Math.floor(gaps.length / 3)] ?? 1.3;
}

/** Whether the line at `index` belongs to the block of the one above it. */
function goesOn(lines: readonly Line[], index: number, leading: number): boolean {
  const above = lines[index - 1];
  const line = lines[index];
  if (above === undefined || line === undefined || above.column !== line.column) return false;
  if (Math.abs(above.size - line.size) > 0.1 * Math.max(above.size, line.size)) return false;
  const gap = line.y - above.y;
  if (gap < 0 || gap > Math.max(1.3 * leading, 1.15) * line.size) return false;
  if (itemMark.test(textOf(line))) return false;
  return !(endsEarly(lines, index - 1) && /[.:!?]["”’)]?\s*$/.test(textOf(above)));
}

/** A line that ends well before its column does ends a paragraph, if it also ends a sentence. */
function endsEarly(lines: readonly Line[], index: number): boolean {
  const line = lines[index];
  const column = lines.filter((other) => other.column === line?.column);
  const right = Math.max(...column.map((other) => other.end));
  return line !== undefined && right - line.end > 0.2 * (right - Math.min(...column.map((other) => other.x)));
}
