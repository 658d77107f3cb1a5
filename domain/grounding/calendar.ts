import { boundsOppose } from '../text/bounds.ts';
import type { DateMention } from '../text/dates.ts';
import { betterMatchElsewhere } from './binding.ts';
import type { Premise } from './premise.ts';
import type { Moment, Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** Every date, period, weekday and time of a statement must be given by the source: each field that the statement names, equal. */
export function checkCalendar(statement: Reading, premise: Premise): Finding | null {
  let note: Finding | null = null;
  for (const moment of statement.moments) {
    const finding = checkOne(moment, statement, premise);
    if (finding?.verdict === 'fails') return finding;
    note ??= finding;
  }
  return note;
}

function checkOne(moment: Moment, statement: Reading, premise: Premise): Finding | null {
  const { date } = moment;
  const given = premise.quoted.moments.filter((source) => dateHolds(date, source.date));
  const agreeing = given.filter((source) => !boundsOppose(moment.bound, source.bound));
  if (agreeing.length > 0) {
    const better = betterMatchElsewhere({ statement, value: date }, premise.quoted, {
      holds: agreeing.map((source) => source.date),
      rivals: premise.quoted.moments
        .map((source) => source.date)
        .filter((other) => other.kind === date.kind && !dateHolds(date, other)),
    });
    return better
      ? fails(`${shown(date.raw)} is said of something else; here the source gives ${shown(better.raw)}`)
      : null;
  }
  if (given.length > 0) return fails(`${shown(date.raw)} is a limit in the other direction in the source`);
  if (isWeekdayIn(date, premise.quoted) || isPlainNumberIn(date, premise.quoted)) return null;
  if (isIn(date, premise.passage))
    return { verdict: 'holds', note: `${shown(date.raw)} stands in the passage, outside of the quote` };
  if (isIn(date, premise.context))
    return { verdict: 'holds', note: `${shown(date.raw)} stands in the heading, outside of the quote` };
  return fails(reasonFor(date, premise.quoted));
}

function isIn(date: DateMention, reading: Reading): boolean {
  return reading.moments.some((source) => dateHolds(date, source.date)) || isPlainNumberIn(date, reading);
}

/**
 * Whether a source's date gives what the statement says. A date that can be read in two ways (03/04/2024 without a hint) supports only its
 * own literal form and its year: a guess of the order would state what the source may not say.
 */
export function dateHolds(said: DateMention, source: DateMention): boolean {
  if (said.kind === 'time') return source.kind === 'time' && timeHolds(said, source);
  if (said.kind === 'weekday')
    return source.kind === 'weekday' && said.weekdays.every((day) => source.weekdays.includes(day));
  if (said.ambiguous) return said.raw === source.raw;
  const same = (field: 'year' | 'month' | 'day' | 'part'): boolean =>
    said[field] === null || said[field] === source[field];
  if (said.kind === 'period' && source.kind !== 'period') return false;
  return (
    same('year') && same('month') && same('day') && same('part') && (source.kind === 'date' || source.kind === 'period')
  );
}

/** "2:30" may say less than "2:30 pm", but not the other way round. */
function timeHolds(said: DateMention, source: DateMention): boolean {
  if (said.minutes === null || source.minutes === null) return false;
  return said.minutes === source.minutes
    ? said.meridiem === source.meridiem || !said.meridiem || source.meridiem
    : !said.meridiem && said.minutes % 720 === source.minutes % 720;
}

function isWeekdayIn(date: DateMention, reading: Reading): boolean {
  const named = new Set(reading.moments.flatMap((source) => source.date.weekdays));
  return date.kind === 'weekday' && date.weekdays.every((day) => named.has(day));
}

/** "1950" may be a year or a count; a bare number of the same value supports it. */
function isPlainNumberIn(date: DateMention, reading: Reading): boolean {
  return (
    /^\d{4}$/.test(date.raw) &&
    reading.figures.some(({ quantity }) => quantity.kind === 'number' && quantity.value === date.year)
  );
}

function reasonFor(date: DateMention, quoted: Reading): string {
  const swapped = quoted.moments.find(
    (source) => source.date.day !== null && source.date.day === date.month && source.date.month === date.day,
  );
  if (swapped) return `${shown(date.raw)} swaps day and month of ${shown(swapped.date.raw)}`;
  const unclear = quoted.moments.find((source) => source.date.ambiguous);
  if (unclear && date.kind === 'date')
    return `${shown(date.raw)} reads ${shown(unclear.date.raw)} in one of two possible ways`;
  return `the date ${shown(date.raw)} is not in the source`;
}
