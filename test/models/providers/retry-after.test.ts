import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterMs } from '../../../adapters/models/provider-retry-after.ts';

const now = Date.parse('2026-11-25T12:00:00Z');

test.each([
  [{ 'retry-after-ms': '1200' }, 1200],
  [{ 'retry-after-ms': '1200.4', 'retry-after': '60' }, 1201],
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Wed, 25 Nov 2026 12:01:30 GMT' }, 90_000],
  [{ 'retry-after': '0' }, 1],
  [{ 'retry-after-ms': '0' }, 1],
  [{ 'retry-after': 'Wed, 25 Nov 2026 11:00:00 GMT' }, 1],
  [{ 'retry-after': '86400' }, 600_000],
  [{ 'retry-after': 'Thu, 26 Nov 2026 12:00:00 GMT' }, 600_000],
  [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3000],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{}, null],
])('%j is %s ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected);
});

test('without headers nothing is said', () => {
  expect(retryAfterMs(null)).toBeNull();
});

test('whatever a server sends, a wait is from 1 ms to 10 minutes, in whole milliseconds', () => {
  const value = fc.oneof(
    fc.double().map(String),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
    fc.stringMatching(/^[ -~]*$/),
  );
  fc.assert(
    fc.property(fc.constantFrom('retry-after', 'retry-after-ms'), value, (name, sent) => {
      const wait = retryAfterMs(new Headers({ [name]: sent }), now);
      expect(wait === null || (Number.isInteger(wait) && wait >= 1 && wait <= 600_000)).toBe(true);
    }),
  );
});
