import type { DateFields, DayMonthOrder } from './date-mention.ts';

export const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export const int = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number.parseInt(digits, 10);

export function valid(fields: {
  year?: number | null;
  month?: number | null;
  day?: number | null;
}): DateFields[] | null {
  const { month: m = null, day: d = null } = fields;
  if (m !== null && (m < 1 || m > 12)) return null;
  if (d !== null && (d < 1 || d > 31)) return null;
  return [fields];
}

export function both(fields: DateFields, first: number | null, second: number | null): DateFields[] {
  return [
    { ...fields, day: first },
    { ...fields, day: second },
  ];
}

export function numeric([a, b, y]: (string | undefined)[], order: DayMonthOrder | null): DateFields[] | null {
  const [first, second] = [Number(a), Number(b)];
  const year = y?.length === 2 ? Number(y) + (Number(y) < 70 ? 2000 : 1900) : Number(y);
  const known = first > 12 ? 'dmy' : second > 12 ? 'mdy' : order;
  if (first === second && first <= 12) return valid({ year, month: first, day: first });
  if (known === null) return first >= 1 && second >= 1 ? [{ year, ambiguous: true }] : null;
  return valid(known === 'dmy' ? { year, month: second, day: first } : { year, month: first, day: second });
}

export function monthOf(name: string | undefined): number | null {
  const index = monthNames.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3)));
  return index < 0 ? null : index + 1;
}

export function weekdayOf(name: string | undefined): number {
  return weekdayNames.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3))) + 1;
}

export function weekdayRange(from: string | undefined, to: string | undefined): DateFields[] {
  const [first, last] = [weekdayOf(from), weekdayOf(to)];
  const length = ((last - first + 7) % 7) + 1;
  return [{ kind: 'weekday', weekdays: Array.from({ length }, (_, i) => ((first - 1 + i) % 7) + 1) }];
}

export function quarter(name: string | undefined, year: string | undefined): DateFields[] {
  const index = ['first', 'second', 'third', 'fourth', '1st', '2nd', '3rd', '4th'].indexOf((name ?? '').toLowerCase());
  return [{ kind: 'period', part: `Q${index < 0 ? 4 : (index % 4) + 1}`, year: int(year) }];
}

export function spanOfYears(from: string | undefined, to: string | undefined): DateFields[] | null {
  const [first, last] = [Number(from), Number(to)];
  return last > first % 100 ? [{ year: first }, { year: first - (first % 100) + last }] : null;
}

export function clock(h: string | undefined, m: string | undefined, half: string | undefined): DateFields[] | null {
  const hour = Number(h);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const shifted = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return [
    {
      kind: 'time',
      minutes: shifted * 60 + Number(m ?? 0),
      meridiem: half !== undefined || hour > 12 || h?.length === 2,
    },
  ];
}

/** "9:30–11 am": the first time shares the half of the day, unless that would put it after the second. */
export function clockRange(
  [h1, m1]: (string | undefined)[],
  [h2, m2]: (string | undefined)[],
  half: string | undefined,
): DateFields[] | null {
  const second = clock(h2, m2, half);
  const first = clock(h1, m1, half);
  const [a, b] = [first?.[0]?.minutes, second?.[0]?.minutes];
  if (!first || !second || typeof a !== 'number' || typeof b !== 'number') return null;
  const other = a > b ? clock(h1, m1, half?.toLowerCase() === 'p' ? 'a' : 'p') : first;
  return [...(other ?? first), ...second];
}
