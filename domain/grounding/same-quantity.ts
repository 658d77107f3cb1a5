import type { Quantity } from '../text/quantities.ts';
import { unitAt, unitCovers, type Unit } from '../text/units.ts';
import { stem } from '../text/words.ts';

/** Room for binary fractions only (2.46 · 1000 is not exactly 2460), never for rounding. */
const relativeError = 1e-9;

/**
 * Whether what a statement says of a number holds if its source says `source`: the same value after conversion, and the same unit unless
 * the statement gives none. Months and years do not convert to days, nor currencies to each other.
 */
export function sameValue(said: Quantity, source: Quantity): boolean {
  if (said.kind !== source.kind) return false;
  if (said.kind === 'code' || said.kind === 'vague') return flat(said.raw) === flat(source.raw);
  if (said.kind === 'ordinal') return said.value === source.value;
  if (said.unit === null) return nearly(said.value, source.value);
  if (source.unit === null || !unitCovers(said.unit, source.unit)) return false;
  return said.unit.name === source.unit.name
    ? nearly(said.value, source.value)
    : nearly(base(said, said.unit), base(source, source.unit));
}

/** The number alone, whatever its unit. */
export function sameNumber(said: Quantity, source: Quantity): boolean {
  return said.kind === source.kind && nearly(said.value, source.value);
}

function base(quantity: Quantity, unit: Unit): number {
  return quantity.value * unit.factor + unit.offset;
}

function nearly(a: number, b: number): boolean {
  return Math.abs(a - b) <= relativeError * Math.max(Math.abs(a), Math.abs(b));
}

function flat(raw: string): string {
  return raw.replace(/\s+/g, ' ');
}

/** Whether a table header or heading gives the unit of bare cells: "Weight (kg)", "Price in euros". */
export function namesUnit(text: string, unit: Unit): boolean {
  for (const match of text.matchAll(/[([]\s*(?:in\s+)?|\bin\s+|[/,]\s*/gi)) {
    if (unitAt(text, match.index + match[0].length)?.unit.name === unit.name) return true;
  }
  return false;
}

const rateWords: Record<string, RegExp> = {
  min: /\bminutes?\b/i,
  h: /\bhour(?:s|ly)?\b/i,
  day: /\b(?:days?|daily)\b/i,
  wk: /\bweek(?:s|ly)?\b/i,
  month: /\bmonth(?:s|ly)?\b/i,
  yr: /\b(?:years?|yearly|annual(?:ly)?|annum|p\.a\.)/i,
};

/** Whether two rates are per the same thing; one that is left out must be named elsewhere in its text ("the monthly fee is 40"). */
export function sameRate(
  said: { per: string | null; text: string },
  source: { per: string | null; text: string },
): boolean {
  if (said.per === null && source.per === null) return true;
  if (said.per !== null && source.per !== null) return rateName(said.per) === rateName(source.per);
  return said.per === null ? names(said.text, source.per) : names(source.text, said.per);
}

function rateName(per: string): string {
  return per === 'annum' ? 'yr' : per in rateWords ? per : stem(per.toLowerCase());
}

function names(text: string, per: string | null): boolean {
  if (per === null) return true;
  const known = rateWords[rateName(per)];
  return known ? known.test(text) : new RegExp(`(?<!\\p{L})${per}`, 'iu').test(text);
}
