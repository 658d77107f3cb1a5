/** A stretch of Markdown that can be parsed alone. `definitions` are those of its references that stand elsewhere. */
export interface MarkdownChunk {
  text: string;
  definitions: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
/** What runs to its own end, over empty lines and all: where it is open, nothing may be cut. */
const rawBlocks: [RegExp, RegExp][] = [
  [/<!--/, /-->/],
  [/<\?/, /\?>/],
  [/<!\[CDATA\[/, /\]\]>/],
  [/<(?:script|pre|style|textarea)\b/i, /<\/(?:script|pre|style|textarea)>/i],
];
const definition = /^ {0,3}\[([^\]\n]+)\]:[ \t]*\S.*$/gm;

/**
 * Cuts long Markdown where cutting changes nothing: before a heading or a paragraph that begins at the margin after an empty line,
 * outside of code and raw HTML. The parser takes time by the square of the length; pieces take time by their number.
 */
export function markdownChunks(source: string, maxLength: number): MarkdownChunk[] {
  if (source.length <= maxLength) return [{ text: source, definitions: '' }];
  const texts: string[] = [];
  let open: string | null = null;
  let raw: RegExp | null = null;
  let start = 0;
  let position = 0;
  let afterEmpty = false;
  for (const line of source.split(/(?<=\n)/)) {
    const cuttable = open === null && raw === null && afterEmpty && /^(?:#{1,6}[ \t]|\p{L})/u.test(line);
    if (cuttable && position - start >= maxLength) {
      texts.push(source.slice(start, position));
      start = position;
    }
    if (raw === null) open = fenceAfter(line, open);
    if (open === null) raw = rawBlockAfter(line, raw);
    afterEmpty = line.trim() === '';
    position += line.length;
  }
  texts.push(source.slice(start));
  const definitions = [...source.matchAll(definition)].map(([text, label = '']) => ({
    text,
    label: `[${label.toLowerCase()}]`,
  }));
  return texts.map((text) => ({ text, definitions: needed(text, definitions) }));
}

/** The marks of the fence that is open after a line, or null. */
function fenceAfter(line: string, open: string | null): string | null {
  const marks = fence.exec(line)?.[1];
  if (marks === undefined) return open;
  if (open === null) return marks;
  return marks.startsWith(open) && line.trim() === marks ? null : open;
}

/** What ends the raw block that is open after a line, or null. */
function rawBlockAfter(line: string, open: RegExp | null): RegExp | null {
  let rest = line;
  let end = open;
  for (;;) {
    if (end === null) {
      const opened = firstOpened(rest);
      if (opened === null) return null;
      rest = opened.rest;
      end = opened.ends;
    }
    const closed = end.exec(rest);
    if (closed === null) return end;
    rest = rest.slice(closed.index + closed[0].length);
    end = null;
  }
}

/** The raw block that begins first in a text, and the text after its beginning. */
function firstOpened(text: string): { rest: string; ends: RegExp } | null {
  let first: { at: number; rest: string; ends: RegExp } | null = null;
  for (const [begins, ends] of rawBlocks) {
    const found = begins.exec(text);
    if (found === null || (first !== null && first.at < found.index)) continue;
    first = { at: found.index, rest: text.slice(found.index + found[0].length), ends };
  }
  return first;
}

function needed(text: string, definitions: readonly { text: string; label: string }[]): string {
  const lower = text.toLowerCase();
  return definitions
    .filter(({ label }) => lower.includes(label))
    .map((each) => `${each.text}\n\n`)
    .join('');
}
