import type { Citation } from '../contracts/answer.ts';
import { dayMonthOrder } from '../text/dates.ts';
import { numberStyle } from '../text/number-style.ts';
import { sentences } from '../text/sentences.ts';
import { readText, type Hints, type Reading } from './reading.ts';

/** The passage that a citation is taken from: its text, where it starts in its document, and what stands above it (title, headings, table header). */
export interface GroundingSource {
  text: string;
  start: number;
  context: string;
}

export type GroundingCitation = Pick<Citation, 'n' | 'evidenceId' | 'quote' | 'start' | 'end'>;

/** A quote that was found word for word, and the whole sentences of its passage that it lies in. */
export interface Quote {
  text: string;
  sentences: string;
  /** Whether the quote is made of whole sentences, lines or items of its passage. */
  isWhole: boolean;
  source: GroundingSource;
}

/** All that a statement may rest on. */
export interface Premise {
  quotes: Quote[];
  /** The sentences quoted from, one source after the other. */
  quoted: Reading;
  passage: Reading;
  context: Reading;
  hints: Hints;
}

/** Looks a citation up in its passage. Null unless the quote stands there to the letter, at its offsets; a table header may stand in the context. */
export function locateQuote(citation: GroundingCitation, source: GroundingSource): Quote | null {
  const { quote } = citation;
  if (citation.end - citation.start !== quote.length || quote.trim() === '') return null;
  const from = citation.start - source.start;
  if (from >= 0 && source.text.slice(from, from + quote.length) === quote) return enclosed(quote, from, source);
  const isOutside = from < 0 || from + quote.length > source.text.length;
  const isHeader = isOutside && source.context.split('\n').some((line) => line.trim() === quote.trim());
  return isHeader ? { text: quote, sentences: quote, isWhole: true, source } : null;
}

export function premiseOf(quotes: readonly Quote[]): Premise {
  const sources = [...new Set(quotes.map(({ source }) => source))];
  const passage = sources.map(({ text }) => text).join('\n\n');
  const context = sources.map((source) => source.context).join('\n');
  const everything = `${context}\n${passage}`;
  const hints = { order: dayMonthOrder(everything), style: numberStyle(everything) };
  const read = (text: string): Reading => readText(text, hints);
  const quoted = [...new Set(quotes.map((quote) => quote.sentences))].join('\n');
  let passageReading: Reading | null = null;
  return {
    quotes: [...quotes],
    quoted: read(quoted),
    // Most statements hold by their quotes alone; whole passages are long to read.
    get passage() {
      passageReading ??= read(passage);
      return passageReading;
    },
    context: read(context),
    hints,
  };
}

/** What may stand before a quote on its line: nothing, or the sign or number of a list item. */
const listMarker = /^\s*(?:[-*+•–]|\(?(?:\d{1,3}|\p{L})[.)])?\s*$/u;

function enclosed(quote: string, from: number, source: GroundingSource): Quote {
  const lead = quote.length - quote.trimStart().length;
  const start = from + lead;
  const end = from + quote.trimEnd().length;
  const touched = sentences(source.text).filter((sentence) => sentence.start < end && start < sentence.end);
  const first = touched[0]?.start ?? start;
  const last = touched.at(-1)?.end ?? end;
  const isWhole =
    !/[\p{L}\p{N}]/u.test(between(source.text, first, start)) && !/[\p{L}\p{N}]/u.test(between(source.text, end, last));
  const lineStart = source.text.lastIndexOf('\n', start - 1) + 1;
  const isLines =
    listMarker.test(source.text.slice(lineStart, start)) && /^[^\S\n]*(?:\n|$)/.test(source.text.slice(end));
  return {
    text: quote,
    sentences: source.text.slice(Math.min(first, start), Math.max(last, end)),
    isWhole: isWhole || isLines,
    source,
  };
}

function between(text: string, start: number, end: number): string {
  return start < end ? text.slice(start, end) : '';
}
