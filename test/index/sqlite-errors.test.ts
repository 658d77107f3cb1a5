import { expect, test } from '@jest/globals';
import { toIndexError } from '../../adapters/index/embedded/sqlite-errors.ts';
import { IndexError } from '../../adapters/index/port.ts';

const sqlite = (errcode: number, errstr: string) =>
  Object.assign(new Error(`near "secret words of a document": ${errstr}`), {
    code: 'ERR_SQLITE_ERROR',
    errcode,
    errstr,
  });

test.each([
  [5, 'locked', true],
  [517, 'locked', true],
  [6, 'locked', true],
  [11, 'corrupt', false],
  [267, 'corrupt', false],
  [26, 'corrupt', false],
  [1, 'corrupt', false],
  [10, 'unavailable', true],
  [13, 'unavailable', true],
  [14, 'unavailable', false],
  [18, 'too_large', false],
  [2067, 'rejected', false],
  [9, 'unavailable', false],
])('SQLite code %d becomes %s, retryable: %s, without the text of the message', (errcode, code, retryable) => {
  const failure = toIndexError(sqlite(errcode, 'as SQLite calls it'));
  expect(failure).toMatchObject({ code, retryable });
  expect(failure.message).toContain('as SQLite calls it');
  expect(failure.message).not.toContain('secret');
});

test('an IndexError stays as it is, and what is no failure of the store is thrown on', () => {
  const known = new IndexError('mapping', 'other vectors', { retryable: false });
  expect(toIndexError(known)).toBe(known);
  const defect = new RangeError('a defect');
  expect(() => toIndexError(defect)).toThrow(defect);
});
