import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longestWaitSeconds, preferredWait } from '../../api/prefer.ts';

test.each([
  [undefined, null],
  ['', null],
  ['respond-async', null],
  ['wait=10', 10],
  ['WAIT = 10', 10],
  ['wait="10"', 10],
  ['respond-async, wait=5; foo=bar, wait=9', 5],
  ['wait=0', 0],
  ['wait=-1', null],
  ['wait=1.5', null],
  ['wait=ten', null],
  ['wait', null],
  ['await=10', null],
  ['wait=99999999999999', null],
])('Prefer: %s waits %s s', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});

test('no header makes a request wait longer than the longest time', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.integer().map((n) => `wait=${n}`),
      ),
      (header) => {
        const seconds = preferredWait(header);
        expect(seconds === null || (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestWaitSeconds)).toBe(
          true,
        );
      },
    ),
  );
});
