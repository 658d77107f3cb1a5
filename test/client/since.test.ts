import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sinceTime } from '../../client/since.ts';

const now = new Date('2026-11-30T12:00:00Z');
const iso = (text: string) => sinceTime(text, now)?.toISOString() ?? null;

describe('a time in the past', () => {
  test.each([
    ['30m', '2026-11-30T11:30:00.000Z'],
    ['24h', '2026-11-29T12:00:00.000Z'],
    ['7d', '2026-11-23T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:15+02:00', '2026-11-01T06:30:15.000Z'],
    ['999999d', '1970-01-01T00:00:00.000Z'],
  ])('%s', (text, expected) => expect(iso(text)).toBe(expected));

  test.each(['', '24', 'h', '1.5h', '1w', '2026-02-30', '2026-13-01', '2027-01-01', '30 November 2026'])(
    '%j is none',
    (text) => expect(iso(text)).toBeNull(),
  );

  test('written out in full is read back to the millisecond', () => {
    const past = fc.date({ min: new Date('2000-01-01'), max: now, noInvalidDate: true });
    fc.assert(fc.property(past, (date) => expect(iso(date.toISOString())).toBe(date.toISOString())));
  });
});
