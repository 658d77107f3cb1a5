import type { LiveEvent } from '../../domain/contracts/events.ts';

/** A step of a run, in milliseconds since the epoch, with the waits for its start and for its end. */
export interface Interval {
  step: string;
  start: number;
  end: number;
}

/** The steps of a run by its events; of the same step, one ends before the next starts. */
export function stepIntervals(events: readonly LiveEvent[]): Interval[] {
  const open = new Map<string, number>();
  return events.flatMap((event) => {
    if (event.type === 'step-start') open.set(event.step, Date.parse(event.at));
    if (event.type !== 'step-end') return [];
    return [{ step: event.step, start: open.get(event.step) ?? Number.NaN, end: Date.parse(event.at) }];
  });
}

/**
 * The web search and the steps that ran while it was asked: how long it took until all of them were done, by how long they would have taken one after
 * the other. 1: nothing ran beside it. Null: the web was not asked.
 */
export function overlapOfWeb(intervals: readonly Interval[]): number | null {
  const web = intervals.find(({ step }) => step === 'search-web');
  if (!web) return null;
  const parts = intervals.filter(({ start, end }) => start >= web.start && start < web.end && end > web.start);
  const sum = parts.reduce((total, { start, end }) => total + end - start, 0);
  return (Math.max(...parts.map(({ end }) => end)) - web.start) / sum;
}
