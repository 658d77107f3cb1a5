import {
  both,
  clock,
  clockRange,
  int,
  monthNames,
  monthOf,
  numeric,
  quarter,
  spanOfYears,
  valid,
  weekdayOf,
  weekdayRange,
} from './date-fields.ts';
import type { DateFields, DayMonthOrder } from './date-mention.ts';
import { spacedLetters } from './letters.ts';

const month = `(?:${monthNames.map((name) => `[${name[0]?.toUpperCase()}${name[0]}]${name.slice(1)}`).join('|')}|${monthNames.map((name) => name.toUpperCase()).join('|')}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)(?![a-z])\\.?)`;
const monthProper = month.replace(/\[(\w)\w\]/g, '$1');
const dayNumber = '(?:0?[1-9]|[12]\\d|3[01])';
const suffix = '(?:st|nd|rd|th)?';
const yearNumber = '(?:1[0-9]|20)\\d{2}(?!\\d)';
const before = `(?<![${spacedLetters}\\p{N}])(?<![\\d][.,:/-])`;
const after = `(?![${spacedLetters}\\p{N}])(?![-/]\\d)`;
const join = '\\s*(?:–|—|-|to|and|&|or|until|through)\\s*';
const weekday = '(?:Mon|Tues?|Wednes|Wed|Thurs?|Thu|Fri|Satur|Sat|Sun)(?:day)?s?\\.?';

const pattern = (source: string): RegExp => new RegExp(before + source + after, 'gu');

/** Makes fields of a match's groups; null: it is no date after all. */
export type DateReader = (
  groups: (string | undefined)[],
  context: { order: DayMonthOrder | null },
) => DateFields[] | null;

/** In order of precedence: an earlier pattern claims its span. */
export const datePatterns: [RegExp, DateReader][] = [
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
