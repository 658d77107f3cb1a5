import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linesOf, parse, textsOf } from './support/parse.ts';

describe('CSV', () => {
  test.each([',', ';', '\t', '|'])('delimiter %j is found; rows point to the header', async (delimiter) => {
    const document = await parse(
      ['Plan', 'Note', 'Price'].join(delimiter) +
        '\n' +
        ['Gold', '"a; b, c\nd"', '1'].join(delimiter) +
        '\n' +
        ['Silver', '', '2'].join(delimiter),
      'a.csv',
    );
    expect(linesOf(document)).toEqual([
      ['header', 'Plan | Note | Price'],
      ['row', 'Gold | a; b, c d | 1'],
      ['row', 'Silver |  | 2'],
    ]);
    expect(document.blocks.map((block) => block.headerBlock)).toEqual([undefined, 0, 0]);
  });

  test('a first row of numbers is no header', async () => {
    expect(linesOf(await parse('1,2\n3,4', 'a.csv')).map(([kind]) => kind)).toEqual(['row', 'row']);
  });

  test('decimal commas do not make a comma the delimiter', async () => {
    expect(textsOf(await parse('Ware;Preis\nRohr;1,50\nBlech;2,75\n', 'a.csv'))).toEqual([
      'Ware | Preis',
      'Rohr | 1,50',
      'Blech | 2,75',
    ]);
  });

  test('the delimiter that Excel names is taken', async () => {
    expect(textsOf(await parse('sep=;\na;b\n1;2', 'a.csv'))).toEqual(['a | b', '1 | 2']);
  });

  test('rows shorter and longer than the header are kept whole', async () => {
    expect(textsOf(await parse('a,b\n1\n1,2,3', 'a.csv'))).toEqual(['a | b', '1', '1 | 2 | 3']);
  });

  test('no row of numbers is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer(), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 30 }),
        async (rows) => {
          const document = await parse(`p,q,r\n${rows.map((row) => row.join(',')).join('\n')}`, 'a.csv');
          expect(textsOf(document)).toEqual(['p | q | r', ...rows.map((row) => row.join(' | '))]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
