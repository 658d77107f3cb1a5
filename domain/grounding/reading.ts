import { boundAt, type Bound } from '../text/bounds.ts';
import { dates, type DateMention, type DayMonthOrder } from '../text/dates.ts';
import { identifiers } from '../text/identifiers.ts';
import { negations, type Negation } from '../text/negation.ts';
import type { NumberStyle } from '../text/number-style.ts';
import { quantities, type Quantity } from '../text/quantities.ts';
import { sentences, type Span } from '../text/sentences.ts';
import { contentStems } from '../text/words.ts';
import { unitAt } from '../text/units.ts';
import { clauses } from './clauses.ts';
import { impliedOnes } from './implied-ones.ts';

/** A quantity or a date with the limit that the text puts on it. */
export interface Figure {
  quantity: Quantity;
  bound: Bound;
}
export interface Moment {
  date: DateMention;
  bound: Bound;
}

/** A text as the rules see it. Offsets are into `text`. */
export interface Reading {
  text: string;
  figures: Figure[];
  moments: Moment[];
  identifiers: string[];
  negations: Negation[];
  sentences: Span[];
  clauses: Clause[];
}

/** The smallest part of a text that says something: its content stems are those of its words beside figures, dates and bounds. */
export interface Clause extends Span {
  stems: Set<string>;
}

/** How numbers and dates are written in a source; null where it does not show. */
export interface Hints {
  order: DayMonthOrder | null;
  style: NumberStyle | null;
}

/** Reads a text with the conventions of its source. */
export function readText(text: string, hints: Hints): Reading {
  const codes = identifiers(text.replace(unspaced, ' '))
    .map(withoutAffixes)
    .filter((code) => !isUnit(code));
  const codeSpans = codes.flatMap((code) => spansOf(text, code));
  const calendar = dates(text, hints.order).filter((date) => !overlapsAny(date, codeSpans));
  const counted = quantities(text, { style: hints.style, skip: [...codeSpans, ...calendar] });
  const implied = impliedOnes(text).filter((one) => !overlapsAny(one, counted));
  const measured = [...counted, ...implied].map((quantity) => ({
    quantity,
    match: boundAt(text, quantity.start, quantity.end),
  }));
  const dated = calendar.map((date) => ({ date, match: boundAt(text, date.start, date.end) }));
  const bounded = [...measured, ...dated].map(({ match }) => match).filter(({ bound }) => bound !== 'exact');
  const found = sentences(text);
  const plain = blanked(text, [...bounded, ...counted, ...implied, ...calendar, ...codeSpans]);
  return {
    text,
    figures: measured.map(({ quantity, match }) => ({ quantity, bound: match.bound })),
    moments: dated.map(({ date, match }) => ({ date, bound: match.bound })),
    identifiers: codes,
    negations: negations(text, bounded),
    sentences: found,
    clauses: clauses(text, found, [...counted, ...calendar, ...codeSpans]).map((span) => ({
      ...span,
      stems: new Set(contentStems(plain.slice(span.start, span.end)).filter((one) => !negating.has(one))),
    })),
  };
}

/** A code ends where a script without spaces goes on. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const affix =
  /^(?:anti|non|pre|post|pro|co)-|-(?:like|type|based|positive|negative|dependent|independent|mediated|induced|specific|deficient|related|associated|compatible|certified)$/i;

/** "M2-like" names M2. */
function withoutAffixes(code: string): string {
  const core = code.replace(affix, '');
  return /\p{L}/u.test(core) && /\p{N}/u.test(core) ? core : code;
}

/** "40mg/day" is a quantity, "m²" a unit. */
function isUnit(code: string): boolean {
  const digits = /^\d+(?:[.,]\d+)?/.exec(code)?.[0].length ?? 0;
  const unit = unitAt(code, digits);
  return unit !== null && (unit.end === code.length || /^\/\p{Ll}+$/u.test(code.slice(unit.end)));
}

/** Contracted and joined negations say nothing of their own; the rule of polarity reads them. */
const negating = new Set(
  contentStems(
    "non cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't mustn't",
  ),
);

function spansOf(text: string, code: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + code.length))
    spans.push({ start: at, end: at + code.length });
  return spans;
}

function overlapsAny(span: Span, others: readonly Span[]): boolean {
  return others.some((other) => span.start < other.end && other.start < span.end);
}

function blanked(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  return result;
}
