import { InvalidArgumentError } from 'commander';
import { reasonPattern } from '../question-query.ts';
import { sinceTime } from '../since.ts';

export const typeFlag = [
  '--type <reason>',
  'only those with this reason, e.g. Model.InsufficientQuota',
  reasonOf,
] as const;
export const sinceFlag = [
  '--since <time>',
  'only those that ended since then: 30m, 24h, 7d, or a date',
  momentOf,
] as const;

function reasonOf(value: string): string {
  if (reasonPattern.test(value)) return value;
  throw new InvalidArgumentError('It must be a reason such as Model.InsufficientQuota or no_evidence.');
}

/** As a moment, so that it is the same for every page. */
function momentOf(value: string): string {
  const at = sinceTime(value, new Date());
  if (at !== null) return at.toISOString();
  throw new InvalidArgumentError(
    'It must be a time in the past: 30m, 24h, 7d, a date such as 2026-11-30, or a date with a time.',
  );
}
