import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failure, parse } from './support/parse.ts';

const text = 'Größe: 12 €, naïve café – “quoted”.\r\nSecond line.';
const expected = 'Größe: 12 €, naïve café – “quoted”. Second line.';

function utf16(value: string, littleEndian: boolean): Buffer {
  const bytes = Buffer.from(value, 'utf16le');
  return littleEndian ? bytes : bytes.swap16();
}

const windows1252 = Buffer.from(
  text.replace('€', '\x80').replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'),
  'latin1',
);

describe('encodings of text', () => {
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE with a mark', utf16(`\ufeff${text}`, true)],
    ['UTF-16 BE with a mark', utf16(`\ufeff${text}`, false)],
    ['UTF-16 LE', utf16(text, true)],
    ['UTF-16 BE', utf16(text, false)],
    ['windows-1252', windows1252],
  ])('%s', async (_, bytes) => {
    const document = await parse(bytes, 'a.txt');
    expect(document.text).toBe(expected);
    expect(document.warnings).toEqual([]);
  });

  test.each([true, false])('UTF-16 of Japanese and Cyrillic without a mark, little-endian %s', async (littleEndian) => {
    expect((await parse(utf16('設備点検は毎月 第二火曜日に行う。\n', littleEndian), 'a.txt')).text).toBe(
      '設備点検は毎月 第二火曜日に行う。',
    );
    expect((await parse(utf16('Проверка каждый месяц.', littleEndian), 'a.txt')).text).toBe('Проверка каждый месяц.');
  });

  test('whatever is written in UTF-8 or UTF-16 with a mark is read back or has no text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.constantFrom('utf8', 'le', 'be'),
        async (value, encoding) => {
          const marked = `\ufeffx ${value}`;
          const bytes = encoding === 'utf8' ? Buffer.from(marked) : utf16(marked, encoding === 'le');
          expect((await parse(bytes, 'a.txt')).text.startsWith('x')).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    [
      'UTF-8 with a broken character',
      Buffer.concat([Buffer.from('Größe, naïve, café, Übung '), Buffer.from([0xc3]), Buffer.from(' end')]),
    ],
    ['KOI8-R', Buffer.from([0xf0, 0xd2, 0xcf, 0xd7, 0xc5, 0xd2, 0xcb, 0xc1, 0x20, 0xcb, 0xc1, 0xd6, 0xc4, 0xd9, 0xca])],
    ['Shift_JIS', Buffer.from([0x90, 0xdd, 0x94, 0xf5, 0x93, 0x5f, 0x8c, 0x9f, 0x82, 0xcd])],
    ['GB18030', Buffer.from([0xc9, 0xe8, 0xb1, 0xb8, 0xbc, 0xec, 0xb2, 0xe9, 0xc3, 0xbf, 0xd4, 0xc2])],
  ])('%s is refused, not guessed', async (_, bytes) => {
    expect((await failure(parse(bytes, 'a.txt'))).code).toBe('Document.Undecodable');
  });

  test('characters that were lost before are said to be unreadable', async () => {
    const document = await parse('Fee: \ufffd12', 'a.txt');
    expect(document.warnings).toEqual([expect.objectContaining({ code: 'undecodable_characters' })]);
  });
});
