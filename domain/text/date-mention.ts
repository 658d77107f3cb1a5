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

/** The fields that a pattern finds; the others are null, false or empty. */
export type DateFields = Partial<Omit<DateMention, 'start' | 'end' | 'raw'>>;
