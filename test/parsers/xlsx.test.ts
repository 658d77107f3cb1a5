import { describe, expect, test } from '@jest/globals';
import { sheetRow, xlsx } from './support/office-files.ts';
import { failure, linesOf, parse, textsOf } from './support/parse.ts';

const sheet = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row, i) => (row.length === 0 ? '' : sheetRow(i + 1, row))).join('');

describe('XLSX', () => {
  test('sheets are headings, tables have headers, rows point to them', async () => {
    const document = await parse(
      xlsx([
        {
          name: 'Prices',
          rows: sheet([['Price list'], ['Plan', 'Users', 'Price'], ['Gold', 40, 55.5], ['Silver', null, 30]]),
        },
      ]),
      'a.xlsx',
    );
    expect(linesOf(document)).toEqual([
      ['heading', 'Prices'],
      ['paragraph', 'Price list'],
      ['header', 'Plan | Users | Price'],
      ['row', 'Gold | 40 | 55.5'],
      ['row', 'Silver |  | 30'],
    ]);
    expect(document.blocks[4]?.headerBlock).toBe(2);
  });

  test('an empty row or an empty column between tables parts them', async () => {
    const rows = sheet([['a', 'b', null, 'k', 'v'], ['x', 1, null, 'y', 2], [], ['c', 'd'], ['z', 3]]);
    expect(textsOf(await parse(xlsx([{ name: 'S', rows }]), 'a.xlsx'))).toEqual([
      'S',
      'a | b',
      'x | 1',
      'k | v',
      'y | 2',
      'c | d',
      'z | 3',
    ]);
  });

  test('an empty column before a lone one parts nothing', async () => {
    const rows = sheet([
      ['Setting', null, 'Value'],
      ['Speed', null, 4],
    ]);
    expect(textsOf(await parse(xlsx([{ name: 'S', rows }]), 'a.xlsx')).slice(1)).toEqual([
      'Setting | Value',
      'Speed | 4',
    ]);
  });

  test('cells merged downwards are said in each row', async () => {
    const rows = sheet([
      ['Region', 'Town'],
      ['North', 'Alder'],
      [null, 'Birch'],
      ['South', 'Cedar'],
    ]);
    const document = await parse(
      xlsx([{ name: 'S', rows, after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' }]),
      'a.xlsx',
    );
    expect(textsOf(document)).toEqual(['S', 'Region | Town', 'North | Alder', 'North | Birch', 'South | Cedar']);
  });

  test('numbers, dates, percentages, truths, errors and formulas as the sheet shows them', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00&quot; kg&quot;"/><numFmt numFmtId="166" formatCode=";;;"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="999"/></cellXfs>';
    const cells = [
      '<c r="A1" s="1"><v>45355</v></c>',
      '<c r="B1" s="2"><v>45355</v></c>',
      '<c r="C1" s="3"><v>0.125</v></c>',
      '<c r="D1" s="4"><v>2460</v></c>',
      '<c r="E1"><v>0.30000000000000004</v></c>',
      '<c r="F1" t="b"><v>1</v></c>',
      '<c r="G1" t="e"><v>#N/A</v></c>',
      '<c r="H1" t="str"><f>A1&amp;"x"</f><v>made</v></c>',
      '<c r="I1" t="s"><v>0</v></c>',
      '<c r="J1" s="6"><v>7</v></c>',
    ];
    const strings = [
      '<si><r><t>rich </t></r><r><t>text</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>'.replace(/<\/?si>/g, ''),
    ];
    const document = await parse(
      xlsx([{ name: 'S', rows: `<row r="1">${cells.join('')}</row>` }], { styles, strings }),
      'a.xlsx',
    );
    expect(textsOf(document)[1]).toBe(
      '2024-03-04 | 04/03/2024 | 12.50% | 2,460.00 kg | 0.3 | TRUE | #N/A | made | rich text | 7',
    );
  });

  test('dates counted from 1904', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const document = await parse(
      xlsx([{ name: 'S', rows: '<row r="1"><c r="A1" s="1"><v>43893</v></c></row>' }], { styles, date1904: true }),
      'a.xlsx',
    );
    expect(textsOf(document)[1]).toBe('2024-03-04');
  });

  test('hidden sheets are named, not read; empty ones give no heading', async () => {
    const document = await parse(
      xlsx([
        { name: 'Shown', rows: sheet([['x']]) },
        { name: 'Secret', rows: sheet([['MAGNOLIA']]), state: 'veryHidden' },
        { name: 'Empty', rows: '' },
      ]),
      'a.xlsx',
    );
    expect(textsOf(document)).toEqual(['Shown', 'x']);
    expect(document.warnings).toEqual([
      { code: 'part_skipped', message: 'A hidden sheet was not read.', part: 'Secret' },
    ]);
  });

  test('a small file that repeats one long string is refused', async () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>0</v></c></row>`,
    ).join('');
    const error = await failure(
      parse(xlsx([{ name: 'S', rows }], { strings: ['x'.repeat(10_000)] }), 'a.xlsx', { maxUnpackedBytes: 5_000_000 }),
    );
    expect(error).toMatchObject({ code: 'Document.TooLargeUnpacked', format: 'xlsx' });
  });

  test('a workbook without a cell has no text', async () => {
    expect((await failure(parse(xlsx([{ name: 'S', rows: '' }]), 'a.xlsx'))).code).toBe('Document.NoText');
  });
});
