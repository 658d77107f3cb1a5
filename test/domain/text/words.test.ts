import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acronyms, holdsIdentifier, identifiers } from '../../../domain/text/identifiers.ts';
import { foldText, normaliseText } from '../../../domain/text/normalise.ts';
import { sentences } from '../../../domain/text/sentences.ts';
import { contentStems, words } from '../../../domain/text/words.ts';

const sentencesOf = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end));

describe('normaliseText', () => {
  test('spells ligatures out and keeps what NFKC would change in meaning', () => {
    expect(normaliseText('The ﬁnal oﬃce ﬂoor plan is certiﬁed')).toBe('The final office floor plan is certified');
    expect(normaliseText('10² m')).toBe('10² m');
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text)),
      ),
    );
  });
});

describe('words', () => {
  test('half-width and full-width forms are the same word', () => {
    expect(words('ＡＢ１２')).toEqual(words('AB12'));
  });

  test('a run without spaces becomes its words', () => {
    expect(words('設備点検は毎月第二火曜日に行う。')).toEqual(expect.arrayContaining(['設備', '点検']));
  });

  test('content words are stems without function words', () => {
    expect(contentStems('What are the late fees of the libraries?')).toEqual(['late', 'fee', 'librari']);
  });

  test('words are always folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) =>
        words(text).forEach((word) => expect(foldText(word)).toBe(word)),
      ),
    );
  });
});

describe('sentences', () => {
  test('of a text full of abbreviations are found in time that grows with its length, not with its square', () => {
    const times = [20_000, 80_000].map((count) => {
      const text = 'Mr. A. '.repeat(count);
      const started = performance.now();
      expect(sentences(text)).toHaveLength(1);
      return performance.now() - started;
    });
    expect(times[1]).toBeLessThan(10 * (times[0] ?? 0) + 200);
  });

  test('honours abbreviations, decimals, quotes and 。', () => {
    expect(
      sentencesOf('See No. 5, e.g. the valve. It costs 12.5 EUR. "Stop!" he said. 設備点検は毎月行う。次は火曜日。'),
    ).toEqual([
      'See No. 5, e.g. the valve.',
      'It costs 12.5 EUR.',
      '"Stop!" he said.',
      '設備点検は毎月行う。',
      '次は火曜日。',
    ]);
  });

  test('loses nothing but white space, in order, without overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const spans = sentences(text);
        let last = 0;
        let joined = '';
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(last);
          last = end;
          joined += text.slice(start, end);
        }
        expect(joined.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});

describe('identifiers', () => {
  test.each([
    [
      'Fault E-0417/b on PN-0072-A, invoice INV-1042-AB, unit Q7-Lima, rail X4',
      ['E-0417/b', 'PN-0072-A', 'INV-1042-AB', 'Q7-Lima', 'X4'],
    ],
    ['On 2024-01-03 a 30-day wait, 5km, 12th floor, 24/7, Q3, the 1990s, 60s', []],
  ])('%s', (text, expected) => {
    expect(identifiers(text)).toEqual(expected);
  });

  test('a code in a run of Japanese stands alone', () => {
    expect(identifiers('型番AB12は何ですか?')).toEqual(['AB12']);
    expect(holdsIdentifier('型番はＡＢ１２である。', 'AB12')).toBe(true);
    expect(holdsIdentifier('型番はＡＢ１２３である。', 'AB12')).toBe(false);
  });

  test('an identifier is held only as a whole', () => {
    expect(holdsIdentifier('code E-0417/b: jammed', 'E-0417/b')).toBe(true);
    for (const other of ['E-0417/bc', 'XE-0417/b', 'E-0417/b-2', 'E-0417'])
      expect(holdsIdentifier(other, 'E-0417/b')).toBe(false);
  });

  test('capitals in a shouted text are no acronyms', () => {
    expect(acronyms('What does MS mean?')).toEqual(['MS']);
    expect(acronyms('WHAT DOES IT MEAN?')).toEqual([]);
  });
});
