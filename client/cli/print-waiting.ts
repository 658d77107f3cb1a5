import type { ReviewSummary } from '../../domain/contracts/review.ts';
import { colorsFor, printable, writeLines } from './output.ts';

const out = process.stdout;

/** Prints that a run waits for a person, why, how long, and how to decide. */
export function printWaiting(id: string, review: ReviewSummary | null): void {
  const { yellow, dim } = colorsFor(out);
  writeLines(out, yellow('No answer yet: a reviewer is asked first.'));
  if (review !== null) writeLines(out, standing(review));
  writeLines(out, dim(`Look at it and decide: plumbline review show ${id}`));
}

/** `open, round 1, because of: abstained; until 2026-12-03 04:41 UTC`. */
export function standing({ state, round, reason, deadline, claimedBy, proposed }: ReviewSummary): string {
  const by = claimedBy === null ? '' : ` by ${printable(claimedBy)}`;
  const first = proposed === null ? '' : `; ${printable(proposed.by)} proposed "${proposed.kind}"`;
  return `${state}${by}, round ${round}, because of: ${reason.replaceAll('_', ' ')}; until ${minute(deadline)}${first}`;
}

/** To the minute, in UTC. */
export function minute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
