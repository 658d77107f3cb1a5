import { z } from 'zod';

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const date = z.iso.date();
const dateTime = z.iso.datetime({ local: true, offset: true });
const zone = /(Z|[+-]\d{2}:\d{2})$/;

/**
 * The moment that a person means: `30m`, `24h` or `7d` before now, or a date, with or without a time (in UTC where no zone is given).
 * Null when it is none of these, or in the future.
 */
export function sinceTime(text: string, now: Date): Date | null {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const at = count === undefined ? moment(text) : now.getTime() - Number(count) * unitMs[unit as keyof typeof unitMs];
  return at === null || at > now.getTime() ? null : new Date(Math.max(at, 0));
}

function moment(text: string): number | null {
  if (date.safeParse(text).success) return Date.parse(`${text}T00:00:00Z`);
  if (!dateTime.safeParse(text).success) return null;
  return Date.parse(zone.test(text) ? text : `${text}Z`);
}
