import type { DateMention, DayMonthOrder } from './date-mention.ts';
import { datePatterns } from './date-patterns.ts';
import { halfWidth } from './half-width.ts';
import { leadIn } from './lead-in.ts';
import { unitAt } from './units.ts';

export type { DateMention, DayMonthOrder } from './date-mention.ts';

const nothing = {
  kind: 'date' as const,
  year: null,
  month: null,
  day: null,
  part: null,
  minutes: null,
  meridiem: false,
  weekdays: [],
  ambiguous: false,
};

/**
 * Dates, periods, times of day and weekdays of a text, in order. A numeric date (03/04/2024) is read by `order`, or by what its own
 * numbers allow (13/04/2024); dotted ones (03.04.2024) are day first, the only order written that way. Otherwise it is ambiguous.
 */
export function dates(text: string, order: DayMonthOrder | null = dayMonthOrder(text)): DateMention[] {
  const plain = halfWidth(text);
  const found: DateMention[] = [];
  for (const [regex, read] of datePatterns) {
    for (const match of plain.matchAll(regex)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => start < other.end && other.start < end) || isSomethingElse(plain, match)) continue;
      for (const fields of read(match.slice(1), { order }) ?? [])
        found.push({ ...nothing, ...fields, start, end, raw: plain.slice(start, end) });
    }
  }
  return withClock(found).sort((a, b) => a.start - b.start);
}

/** Where a text says 17:00 and nowhere am or pm, its 9:00 is in the morning. */
function withClock(found: DateMention[]): DateMention[] {
  const times = found.filter(({ kind, raw }) => kind === 'time' && /\d/.test(raw));
  const is24Hours =
    times.some(({ minutes }) => (minutes ?? 0) >= 13 * 60) && !times.some(({ raw }) => /m\.?$/i.test(raw));
  return is24Hours ? found.map((one) => (one.kind === 'time' ? { ...one, meridiem: true } : one)) : found;
}

/** What a text says of the order of day and month: "(dd/mm)", or a date that can be read in one way only. Null when it says nothing or both. */
export function dayMonthOrder(text: string): DayMonthOrder | null {
  const orders = new Set<DayMonthOrder>();
  if (/\bd{1,2}[/.-]m{1,2}\b|\bday[/-]month\b/i.test(text)) orders.add('dmy');
  if (/\bm{1,2}[/.-]d{1,2}\b|\bmonth[/-]day\b/i.test(text)) orders.add('mdy');
  if (orders.size === 0) {
    for (const [, a, , b] of halfWidth(text).matchAll(
      /(?<![\d/.-])(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])/g,
    )) {
      if (Number(a) > 12 && Number(b) <= 12) orders.add('dmy');
      if (Number(b) > 12 && Number(a) <= 12) orders.add('mdy');
    }
  }
  return orders.size === 1 ? ([...orders][0] ?? null) : null;
}

/** What goes before a month that stands alone. */
const monthLead =
  /(?:^|[^\p{L}])(?:in|of|since|until|till|from|by|during|before|after|early|late|mid|each|every|to|and|through|–|-|last|next|this|end)[\s-]*$/iu;

/** "2000 kg" is a mass, "May I" and "March on" are no months, "Section 2010" and "1950 people" are left to the reader of numbers. */
function isSomethingElse(text: string, match: RegExpExecArray): boolean {
  const raw = match[0];
  const start = match.index;
  if (/^\d{4}$/.test(raw)) {
    const at = start + raw.length + (/^[ -]/.test(text.slice(start + raw.length)) ? 1 : 0);
    return (
      unitAt(text, at) !== null ||
      /(?:[$€£¥#§]|\bNo\.|\b(?:page|section|room|step|model|type|article))\s?$/i.test(leadIn(text, start))
    );
  }
  return /^(?:May|March)$/.test(raw) && !monthLead.test(leadIn(text, start));
}
