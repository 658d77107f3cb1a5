import { spacedLetters } from './letters.ts';
import { leadIn } from './lead-in.ts';
import { unitAt } from './units.ts';
import { halfWidth } from './half-width.ts';

/** Order of day and month in dates written as two small numbers and a year. */
export type DayMonthOrder = 'dmy' | 'mdy';

/**
 * A point in the calendar or on the clock, with the fields that the text gives. `minutes` count from midnight; `meridiem` says whether
 * am or pm (or a 24-hour form) was written. `ambiguous`: 03/04/2024 without a hint; then day and month are null.
 */
export interface DateMention {
  kind: 'date' | 'period' | 'time' | 'weekday';
  start: number;
  end: number;
  raw: string;
  year: number | null;
  month: number | null;
  day: number | null;
  /** Q1–Q4, H1, H2, 1990s. */
  part: string | null;
  minutes: number | null;
  meridiem: boolean;
  /** 1 Monday – 7 Sunday; several for a range. */
  weekdays: number[];
  ambiguous: boolean;
}

const monthNames = [
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
const month = `(?:${monthNames.map((name) => `[${name[0]?.toUpperCase()}${name[0]}]${name.slice(1)}`).join('|')}|${monthNames.map((name) => name.toUpperCase()).join('|')}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)(?![a-z])\\.?)`;
const monthProper = month.replace(/\[(\w)\w\]/g, '$1');
const dayNumber = '(?:0?[1-9]|[12]\\d|3[01])';
const suffix = '(?:st|nd|rd|th)?';
const yearNumber = '(?:1[0-9]|20)\\d{2}(?!\\d)';
const before = `(?<![${spacedLetters}\\p{N}])(?<![\\d][.,:/-])`;
const after = `(?![${spacedLetters}\\p{N}])(?![-/]\\d)`;
const join = '\\s*(?:–|—|-|to|and|&|or|until|through)\\s*';
const weekday = '(?:Mon|Tues?|Wednes|Wed|Thurs?|Thu|Fri|Satur|Sat|Sun)(?:day)?s?\\.?';

interface Fields {
  kind?: DateMention['kind'];
  year?: number | null;
  month?: number | null;
  day?: number | null;
  part?: string | null;
  minutes?: number | null;
  meridiem?: boolean;
  weekdays?: number[];
  ambiguous?: boolean;
}
type Reader = (groups: (string | undefined)[], context: { order: DayMonthOrder | null }) => Fields[] | null;

const int = (digits: string | undefined): number | null => (digits === undefined ? null : Number.parseInt(digits, 10));
const pattern = (source: string): RegExp => new RegExp(before + source + after, 'gu');

/** In order of precedence: an earlier pattern claims its span. */
const readers: [RegExp, Reader][] = [
  [
    /(?<![\p{N}])(\d{4})年(?:度)?(?:(\d{1,2})月(?:(\d{1,2})日)?)?/gu,
    ([y, m, d]) => valid({ year: int(y), month: int(m), day: int(d) }),
  ],
  [/(?<![\p{N}])(\d{1,2})月(\d{1,2})日/gu, ([m, d]) => valid({ month: int(m), day: int(d) })],
  [
    new RegExp(`${before}(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?:(?=T\\d)|${after})`, 'gu'),
    ([y, , m, d]) => valid({ year: int(y), month: int(m), day: int(d) }),
  ],
  [pattern(`(\\d{4})-(0[1-9]|1[0-2])`), ([y, m]) => valid({ year: int(y), month: int(m) })],
  [
    pattern(`(${dayNumber})${suffix}${join}(${dayNumber})${suffix}\\s+(?:of\\s+)?(${month})(?:,?\\s+(${yearNumber}))?`),
    ([d1, d2, m, y]) => both({ year: int(y), month: monthOf(m) }, int(d1), int(d2)),
  ],
  [
    pattern(`(${month})\\s+(${dayNumber})${suffix}${join}(${dayNumber})${suffix}(?:,?\\s+(${yearNumber}))?`),
    ([m, d1, d2, y]) => both({ year: int(y), month: monthOf(m) }, int(d1), int(d2)),
  ],
  [
    pattern(`(?:the\\s+)?(${dayNumber})${suffix}(?:\\s+of)?[\\s-]+(${monthProper})(?:,?[\\s-]+(${yearNumber}))?`),
    ([d, m, y]) => valid({ year: int(y), month: monthOf(m), day: int(d) }),
  ],
  [
    pattern(`(?:the\\s+)?(${dayNumber})${suffix}(?:\\s+of)?\\s+(${month}),?\\s+(${yearNumber})`),
    ([d, m, y]) => valid({ year: int(y), month: monthOf(m), day: int(d) }),
  ],
  [
    pattern(`(${monthProper})\\s+(?:the\\s+)?(${dayNumber})${suffix}(?:,?\\s+(${yearNumber}))?`),
    ([m, d, y]) => valid({ year: int(y), month: monthOf(m), day: int(d) }),
  ],
  [pattern(`(${monthProper}),?\\s+(?:of\\s+)?(${yearNumber})`), ([m, y]) => valid({ year: int(y), month: monthOf(m) })],
  [
    pattern(`(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})`),
    ([a, sign, b, y], { order }) => numeric([a, b, y], sign === '.' ? 'dmy' : order),
  ],
  [
    pattern(`(?:Q([1-4])(?:[\\s/-]*(?:of\\s+)?(?:FY)?(${yearNumber}))?|(${yearNumber})[\\s-]?Q([1-4]))`),
    ([q, y, y2, q2]) => [{ kind: 'period', part: `Q${q ?? q2}`, year: int(y ?? y2) }],
  ],
  [
    new RegExp(
      `${before}(first|second|third|fourth|last|1st|2nd|3rd|4th)\\s+quarter(?:\\s+(?:of\\s+)?(${yearNumber}))?${after}`,
      'giu',
    ),
    ([name, y]) => quarter(name, y),
  ],
  [
    pattern(`(first|second|1st|2nd)\\s+half\\s+of\\s+(${yearNumber})`),
    ([name, y]) => [{ kind: 'period', part: /first|1st/.test(name ?? '') ? 'H1' : 'H2', year: int(y) }],
  ],
  [pattern(`H([12])(?:[\\s/-]*(${yearNumber}))?`), ([half, y]) => [{ kind: 'period', part: `H${half}`, year: int(y) }]],
  [pattern(`(?:FY\\s?)(${yearNumber})`), ([y]) => [{ kind: 'period', part: 'FY', year: int(y) }]],
  [new RegExp(`${before}((?:1[0-9]|20)\\d0)['’]?s${after}`, 'gu'), ([y]) => [{ kind: 'period', part: `${y}s` }]],
  [pattern(`(${yearNumber})\\s?[–—-]\\s?(${yearNumber})`), ([a, b]) => [{ year: int(a) }, { year: int(b) }]],
  [pattern(`(${yearNumber})[–/-](\\d{2})`), ([a, b]) => spanOfYears(a, b)],
  [
    new RegExp(
      `${before}(\\d{1,2})(?::([0-5]\\d)(?::[0-5]\\d)?)?\\s*(?:[–—-]|to)\\s*(\\d{1,2})(?::([0-5]\\d)(?::[0-5]\\d)?)?\\s?([ap])\\.?m(?:\\.|(?![\\p{L}]))`,
      'giu',
    ),
    ([h1, m1, h2, m2, half]) => clockRange([h1, m1], [h2, m2], half),
  ],
  [
    new RegExp(`${before}(\\d{1,2})(?:[:.]([0-5]\\d)(?::[0-5]\\d)?)?\\s?([ap])\\.?m(?:\\.|(?![\\p{L}]))`, 'giu'),
    ([h, m, half]) => clock(h, m, half),
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?<![\\d][.,:/-])([01]?\\d|2[0-4])(?::|h)([0-5]\\d)(?::[0-5]\\d)?(?![\\p{L}\\p{N}:])`,
      'gu',
    ),
    ([h, m]) => clock(h, m, undefined),
  ],
  [
    new RegExp(`(?<=\\d{4}-\\d{2}-\\d{2}T)([01]\\d|2[0-4]):([0-5]\\d)(?::[0-5]\\d(?:\\.\\d+)?)?Z?`, 'gu'),
    ([h, m]) => clock(h, m, undefined),
  ],
  [pattern(`(\\d{1,2})\\s?o['’]clock`), ([h]) => clock(h, undefined, undefined)],
  [
    new RegExp(`${before}(noon|midday|midnight)${after}`, 'giu'),
    ([name]) => [{ kind: 'time', minutes: name?.toLowerCase() === 'midnight' ? 0 : 720, meridiem: true }],
  ],
  [pattern(`(${weekday})\\s*(?:–|—|-|to|through|until)\\s*(${weekday})`), ([a, b]) => weekdayRange(a, b)],
  [
    pattern(`((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?`),
    ([name]) => [{ kind: 'weekday', weekdays: [weekdayOf(name)] }],
  ],
  [pattern(`(Mon|Tues?|Wed|Thurs?|Thu|Fri)`), ([name]) => [{ kind: 'weekday', weekdays: [weekdayOf(name)] }]],
  [
    pattern(`(${monthNames.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`).join('|')})`),
    ([name]) => [{ month: monthOf(name) }],
  ],
  [
    new RegExp(`${before}((?:1[5-9]|20)\\d{2})(?![\\p{N}\\p{L}%°])(?![.,]\\d)(?![/-]\\d)`, 'gu'),
    ([y]) => [{ year: int(y) }],
  ],
];

/**
 * Dates, periods, times of day and weekdays of a text, in order. A numeric date (03/04/2024) is read by `order`, or by what its own
 * numbers allow (13/04/2024); dotted ones (03.04.2024) are day first, the only order written that way. Otherwise it is ambiguous.
 */
export function dates(text: string, order: DayMonthOrder | null = dayMonthOrder(text)): DateMention[] {
  const plain = halfWidth(text);
  const found: DateMention[] = [];
  for (const [regex, read] of readers) {
    for (const match of plain.matchAll(regex)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (found.some((other) => start < other.end && other.start < end) || isSomethingElse(plain, match)) continue;
      for (const fields of read(match.slice(1), { order }) ?? []) found.push(mention(fields, start, end, plain));
    }
  }
  return found.sort((a, b) => a.start - b.start);
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

function mention(fields: Fields, start: number, end: number, text: string): DateMention {
  const none = {
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
  return { ...none, ...fields, start, end, raw: text.slice(start, end) };
}

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
  if (/^(?:May|March)$/.test(raw))
    return !/(?:^|[^\p{L}])(?:in|of|since|until|till|from|by|during|before|after|early|late|mid|each|every|to|and|through|–|-|last|next|this|end)[\s-]*$/iu.test(
      leadIn(text, start),
    );
  return false;
}

function valid(fields: { year?: number | null; month?: number | null; day?: number | null }): Fields[] | null {
  const { month: m = null, day: d = null } = fields;
  if (m !== null && (m < 1 || m > 12)) return null;
  if (d !== null && (d < 1 || d > 31)) return null;
  return [fields];
}

function both(fields: Fields, first: number | null, second: number | null): Fields[] {
  return [
    { ...fields, day: first },
    { ...fields, day: second },
  ];
}

function numeric([a, b, y]: (string | undefined)[], order: DayMonthOrder | null): Fields[] | null {
  const [first, second] = [Number(a), Number(b)];
  const year = y?.length === 2 ? Number(y) + (Number(y) < 70 ? 2000 : 1900) : Number(y);
  const known = first > 12 ? 'dmy' : second > 12 ? 'mdy' : order;
  if (first === second && first <= 12) return valid({ year, month: first, day: first });
  if (known === null) return first >= 1 && second >= 1 ? [{ year, ambiguous: true }] : null;
  return valid(known === 'dmy' ? { year, month: second, day: first } : { year, month: first, day: second });
}

function monthOf(name: string | undefined): number | null {
  const index = monthNames.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3)));
  return index < 0 ? null : index + 1;
}

function weekdayOf(name: string | undefined): number {
  return weekdayNames.findIndex((full) => full.startsWith((name ?? '').toLowerCase().slice(0, 3))) + 1;
}

function weekdayRange(from: string | undefined, to: string | undefined): Fields[] {
  const [first, last] = [weekdayOf(from), weekdayOf(to)];
  const length = ((last - first + 7) % 7) + 1;
  return [{ kind: 'weekday', weekdays: Array.from({ length }, (_, i) => ((first - 1 + i) % 7) + 1) }];
}

function quarter(name: string | undefined, year: string | undefined): Fields[] {
  const index = ['first', 'second', 'third', 'fourth', '1st', '2nd', '3rd', '4th'].indexOf((name ?? '').toLowerCase());
  return [{ kind: 'period', part: `Q${index < 0 ? 4 : (index % 4) + 1}`, year: int(year) }];
}

function spanOfYears(from: string | undefined, to: string | undefined): Fields[] | null {
  const [first, last] = [Number(from), Number(to)];
  return last > first % 100 ? [{ year: first }, { year: first - (first % 100) + last }] : null;
}

function clock(h: string | undefined, m: string | undefined, half: string | undefined): Fields[] | null {
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
function clockRange(
  [h1, m1]: (string | undefined)[],
  [h2, m2]: (string | undefined)[],
  half: string | undefined,
): Fields[] | null {
  const second = clock(h2, m2, half);
  const first = clock(h1, m1, half);
  const [a, b] = [first?.[0]?.minutes, second?.[0]?.minutes];
  if (!first || !second || typeof a !== 'number' || typeof b !== 'number') return null;
  const other = a > b ? clock(h1, m1, half?.toLowerCase() === 'p' ? 'a' : 'p') : first;
  return [...(other ?? first), ...second];
}
