import { normaliseText } from '../text/normalise.ts';
import { sentences, type Span } from '../text/sentences.ts';
import { hasUnspacedScript } from '../text/words.ts';

/** A text that a person typed or pasted, as it is kept, and its sentences and list items in order. */
export interface GivenText {
  /** Normalised; what offsets (UTF-16 code units) refer to. */
  text: string;
  parts: GivenPart[];
}

export interface GivenPart extends Span {
  kind: 'sentence' | 'item';
  /** Where its words begin: after the sign or number of a list item. */
  wordsFrom: number;
  /** Of a list item: the words before the list ("These can't be returned:"), without which it may say the contrary. */
  leadIn: GivenPart | null;
}

/** List items up to this many characters are one part; longer ones are cut into their sentences. */
const wholeItem = 300;
/** A line as long as this that ends within a sentence was wrapped there. */
const wrappedFrom = 50;

const bullet = /^\s*(?:[-*+•‣◦▪–—·]|\(?[a-z][.)])\s+(?=\S)/u;
const numbered = /^\s*\(?(\d{1,3})[.)]\s+(?=\S)/;
const endsSentence = /[.!?:;。！？]["”’')\]]*$/;
const saysSomething = /[\p{L}\p{N}]/u;

/** Lines stay, since whoever types means them; only those that a mail or a PDF has wrapped within a sentence are joined. */
export function givenText(raw: string): GivenText {
  const plain = normaliseText(raw.toWellFormed().replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n'));
  const lines = unwrapped(plain.split('\n').map((line) => line.trimEnd()));
  let at = 0;
  const found = lines.flatMap((line, n) => {
    const own = partsOf(line, { isCounting: counts(lines, n) }).map((part) => moved(part, at));
    at += line.length + 1;
    return own;
  });
  const text = lines.join('\n');
  return { text, parts: withLeadIns(text, found) };
}

type Part = Omit<GivenPart, 'leadIn'>;

function withLeadIns(text: string, parts: readonly Part[]): GivenPart[] {
  let leadIn: GivenPart | null = null;
  return parts.map((part) => {
    if (part.kind === 'item') return { ...part, leadIn };
    const sentence = { ...part, leadIn: null };
    leadIn = text.slice(part.start, part.end).endsWith(':') ? sentence : null;
    return sentence;
  });
}

function unwrapped(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let before = '';
  for (const line of lines) {
    if (goesOn(before, line)) joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
    else joined.push(line);
    before = line;
  }
  return joined;
}

function goesOn(before: string, line: string): boolean {
  if (before.trim() === '' || line.trim() === '' || startsItem(line)) return false;
  if (before.includes(' | ') || line.includes(' | ') || hasUnspacedScript(before)) return false;
  if (startsItem(before) && /^\s{2}/.test(line)) return true;
  return !endsSentence.test(before) && (/^\s*\p{Ll}/u.test(line) || before.length >= wrappedFrom);
}

function startsItem(line: string): boolean {
  return bullet.test(line) || numbered.test(line);
}

/** A number at the start of a line counts items only where a neighbour goes on counting, and never where it may begin a date ("12. Mai 2025"). */
function counts(lines: readonly string[], n: number): boolean {
  const line = lines[n] ?? '';
  const [mark, number] = numbered.exec(line) ?? [];
  if (mark === undefined) return false;
  const neighbours = [numberBefore(lines, n) + 1, numberAfter(lines, n) - 1];
  return neighbours.includes(Number(number)) && !/^\p{L}+\.?\s+\d/u.test(line.slice(mark.length));
}

function numberBefore(lines: readonly string[], n: number): number {
  return numberOf(lines.slice(0, n).findLast((line) => numbered.test(line)));
}

function numberAfter(lines: readonly string[], n: number): number {
  return numberOf(lines.slice(n + 1).find((line) => numbered.test(line)));
}

function numberOf(line = ''): number {
  return Number(numbered.exec(line)?.[1] ?? Number.NaN);
}

function partsOf(line: string, { isCounting }: { isCounting: boolean }): Part[] {
  const start = line.length - line.trimStart().length;
  const sign = bullet.exec(line)?.[0].length;
  // A number that may be a value is said with the words after it.
  const from = sign ?? numbered.exec(line)?.[0].length ?? start;
  const isItem = sign !== undefined || isCounting;
  const kind = isItem ? 'item' : 'sentence';
  if (isItem && line.length - from <= wholeItem)
    return saying(line, [{ kind, start, wordsFrom: from, end: line.length }]);
  const parts = sentences(line.slice(from)).map((span, n) => {
    const wordsFrom = n === 0 && !isItem ? start : from + span.start;
    return { kind, start: n === 0 ? start : wordsFrom, wordsFrom, end: from + span.end } as const;
  });
  return saying(line, parts);
}

function saying(line: string, parts: Part[]): Part[] {
  return parts.filter(({ wordsFrom, end }) => saysSomething.test(line.slice(wordsFrom, end)));
}

function moved({ kind, start, wordsFrom, end }: Part, by: number): Part {
  return { kind, start: start + by, wordsFrom: wordsFrom + by, end: end + by };
}
