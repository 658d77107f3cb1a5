import wrapAnsi from 'wrap-ansi';
import type { Sides } from '../../domain/contracts/comparison.ts';
import { colorsFor, printable } from './output.ts';

type Stream = NodeJS.WriteStream;

/** `changed` marks a row whose cells differ; `over` stands above both cells. A row without a label goes on with the one above. */
export interface Row {
  label: string;
  over?: string;
  cells: [string, string];
  changed: boolean;
}

const labelWidth = 14;
const gap = 2;
/** What stands for a cell that has nothing to show. */
const none = '–';
/** Terminals show these over two columns. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function row(label: string, { first, second }: Sides<string>): Row {
  return { label, cells: [first ?? none, second ?? none], changed: first !== second };
}

/** Prints rows of two cells beside each other, wrapped, 80 columns wide: as wide as the terminal where there is one. A changed row begins with ≠. */
export function printTwoColumns(stream: Stream, heads: [string, string], rows: Row[]): void {
  const width = stream.isTTY ? Math.min(Math.max(stream.columns ?? 80, 50), 120) : 80;
  const { bold, dim, yellow } = colorsFor(stream);
  const write = (start: string, text: string) => stream.write(`${`${start}${text}`.trimEnd()}\n`);
  for (const text of beside(heads, width)) write(' '.repeat(labelWidth), bold(text));
  for (const { label, over, cells, changed } of rows) {
    const texts = [...(over === undefined ? [] : wrapped(over, width - labelWidth)), ...beside(cells, width)];
    for (const [i, text] of texts.entries()) {
      const start = `${changed && i === 0 ? yellow('≠') : ' '} ${padded(i === 0 ? label : '', labelWidth - 2)}`;
      write(start, changed ? text : dim(text));
    }
  }
}

function beside([first, second]: [string, string], width: number): string[] {
  const room = Math.floor((width - labelWidth - gap) / 2);
  const [left, right] = [wrapped(first, room), wrapped(second, room)];
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, i) => `${padded(left[i] ?? '', room + gap)}${right[i] ?? ''}`.trimEnd());
}

function wrapped(text: string, room: number): string[] {
  return printable(text)
    .split('\n')
    .flatMap((line) => wrapAnsi(line, room, { hard: true }).split('\n'));
}

function padded(text: string, width: number): string {
  const columns = [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
  return text + ' '.repeat(Math.max(width - columns, 0));
}
