import { z } from 'zod';
import { sinceTime } from '../client/since.ts';

/** A moment in a query, as people name one: `30m`, `24h` or `7d` before now, or a date. */
export const moment = z.string().transform((text, context) => {
  const at = sinceTime(text, new Date());
  if (at !== null) return at;
  context.addIssue('must be a time in the past: 30m, 24h, 7d, a date such as 2026-11-30, or a date with a time');
  return z.NEVER;
});
