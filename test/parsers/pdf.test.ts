import { describe, expect, test } from '@jest/globals';
import { PDFDocument, degrees } from 'pdf-lib';
import { failure, linesOf, parse, textsOf } from './support/parse.ts';
import { drawnPdf, encryptedPdf, japanesePdf, pdfOf, type TextAt } from './support/pdf-files.ts';

const column = (lines: readonly string[], x: number, y: number): TextAt[] =>
  lines.map((text, i) => ({ text, x, y: y + i * 14 }));

describe('PDF', () => {
  test('pages that are pictures are named in a warning; the others are read', async () => {
    const document = await parse(
      await pdfOf(['Permit HP-20, holder Marlo Quist', null, null, null, null]),
      'harbour-permit.pdf',
    );
    expect(document).toMatchObject({ format: 'pdf', pages: 5, text: 'Permit HP-20, holder Marlo Quist' });
    expect(document.warnings).toEqual([
      { code: 'no_text_on_page', message: expect.stringContaining('2, 3, 4, 5'), pages: [2, 3, 4, 5] },
    ]);
  });

  test('a file of pictures only has no text', async () => {
    expect(await failure(parse(await pdfOf([null, null]), 'a.pdf'))).toMatchObject({
      code: 'Document.NoText',
      format: 'pdf',
    });
  });

  test('no page is lost: each block knows its page', async () => {
    const pages = Array.from({ length: 30 }, (_, i) => `Text of page number ${i + 1}.`);
    const document = await parse(await pdfOf(pages), 'a.pdf');
    expect(document.blocks.map((block) => block.page)).toEqual(pages.map((_, i) => i + 1));
    expect(textsOf(document)).toEqual(pages);
  });

  test('lines of a paragraph are joined, larger letters are headings with their rank as level', async () => {
    const document = await parse(
      await drawnPdf([
        [
          { text: 'Harbour Rules', x: 72, y: 80, size: 24 },
          { text: 'Mooring', x: 72, y: 130, size: 16 },
          ...column(['Boats are moored at the east quay, where the water is', 'deep enough at all tides.'], 72, 160),
          ...column(['A second paragraph stands apart from the first one and', 'has two lines as well.'], 72, 210),
        ],
      ]),
      'a.pdf',
    );
    expect(linesOf(document)).toEqual([
      ['heading', 'Harbour Rules'],
      ['heading', 'Mooring'],
      ['paragraph', 'Boats are moored at the east quay, where the water is deep enough at all tides.'],
      ['paragraph', 'A second paragraph stands apart from the first one and has two lines as well.'],
    ]);
    expect(document.blocks.map((block) => block.level)).toEqual([1, 2, undefined, undefined]);
    expect(document.title).toBe('Harbour Rules');
  });

  test('two columns are read one after the other, whatever order the file draws them in', async () => {
    const left = Array.from({ length: 10 }, (_, i) => `left column sentence number ${i} goes`);
    const right = Array.from({ length: 10 }, (_, i) => `right column sentence number ${i} goes`);
    const mixed = left.flatMap((text, i) => [
      { text: right[i] ?? '', x: 320, y: 200 + i * 14 },
      { text, x: 72, y: 200 + i * 14 },
    ]);
    const document = await parse(
      await drawnPdf([
        [...mixed, { text: 'A title that crosses both of the columns of this page and more', x: 72, y: 100, size: 15 }],
      ]),
      'a.pdf',
    );
    expect(textsOf(document)).toEqual([
      'A title that crosses both of the columns of this page and more',
      left.join(' '),
      right.join(' '),
    ]);
  });

  test('aligned cells are rows; a missing value does not shift the others', async () => {
    const row = (cells: (string | null)[], y: number): TextAt[] =>
      cells.flatMap((text, i) => (text === null ? [] : [{ text, x: 72 + i * 130, y }]));
    const document = await parse(
      await drawnPdf([
        [
          { text: 'Prices of the year follow in this table.', x: 72, y: 80 },
          ...row(['Plan', 'Users', 'Price'], 120),
          ...row(['Gold', '40', '55'], 140),
          ...row(['Silver', null, '30'], 160),
        ],
      ]),
      'a.pdf',
    );
    expect(textsOf(document)).toEqual([
      'Prices of the year follow in this table.',
      'Plan | Users | Price',
      'Gold | 40 | 55',
      'Silver |  | 30',
    ]);
    expect(document.blocks.map((block) => block.kind).slice(1)).not.toContain('paragraph');
  });

  test('hyphens at line ends go where the word is written without one, and stay in compounds and identifiers', async () => {
    const lines = [
      'The agreement is a well-known form. Each agree-',
      'ment is signed. It is a well-',
      'known form. Order INV-1042-',
      'AB is due, and a docu-',
      'ment is kept.',
    ];
    const document = await parse(await drawnPdf([column(lines, 72, 100)]), 'a.pdf');
    expect(document.text).toBe(
      'The agreement is a well-known form. Each agreement is signed. It is a well-known form. Order INV-1042-AB is due, and a document is kept.',
    );
  });

  test('list items are blocks of their own', async () => {
    const document = await parse(
      await drawnPdf([
        column(
          ['You need the following:', '\u2022 a helmet', '\u2022 gloves', '1. Open the gate.', '2. Close the gate.'],
          72,
          100,
        ),
      ]),
      'a.pdf',
    );
    expect(linesOf(document).slice(1)).toEqual([
      ['item', 'a helmet'],
      ['item', 'gloves'],
      ['item', '1. Open the gate.'],
      ['item', '2. Close the gate.'],
    ]);
  });

  test.each([90, 180, 270])('a page turned by %i degrees is read', async (angle) => {
    const pdf = await drawnPdf([column(['First line of the page', 'and its second line.'], 72, 100)], (page) =>
      page.setRotation(degrees(angle)),
    );
    expect((await parse(pdf, 'a.pdf')).text).toMatch(/First line of the page.*and its second line\./s);
  });

  test('text beside the page or without size is not read', async () => {
    const pdf = await drawnPdf([
      [
        { text: 'Deposit is 200 marks.', x: 72, y: 100 },
        { text: 'MAGNOLIA', x: 72, y: 5_000 },
        { text: 'MAGNOLIA', x: -900, y: 100 },
        { text: 'MAGNOLIA', x: 72, y: 200, size: 0.2 },
      ],
    ]);
    expect((await parse(pdf, 'a.pdf')).text).toBe('Deposit is 200 marks.');
  });

  test('values of form fields are read with their names', async () => {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage();
    const form = pdf.getForm();
    const field = form.createTextField('Berth');
    field.setText('Quay 7');
    field.addToPage(page, { x: 50, y: 50 });
    expect((await parse(await pdf.save(), 'a.pdf')).text).toBe('Berth: Quay 7');
  });

  test('attached files are named, not read', async () => {
    const pdf = await PDFDocument.load(await pdfOf(['Text.']));
    await pdf.attach(Buffer.from('secret'), 'figures.csv', { mimeType: 'text/csv' });
    const document = await parse(await pdf.save(), 'a.pdf');
    expect(document.warnings).toEqual([
      expect.objectContaining({ code: 'embedded_object_skipped', part: 'figures.csv' }),
    ]);
  });

  test('a Japanese font that is not embedded is read', async () => {
    expect(
      (await parse(japanesePdf(Buffer.from([0x90, 0xdd, 0x94, 0xf5, 0x93, 0x5f, 0x8c, 0x9f])), 'a.pdf')).text,
    ).toBe('設備点検');
  });

  test('titles that programs put in by themselves are not taken', async () => {
    expect((await parse(await pdfOf(['Text.'], { title: 'Harbour rules' }), 'a.pdf')).title).toBe('Harbour rules');
    expect((await parse(await pdfOf(['Text.'], { title: 'Microsoft Word - rules.docx' }), 'a.pdf')).title).toBeNull();
  });

  test('a password keeps everyone out, an owner password nobody', async () => {
    expect(await failure(parse(encryptedPdf('Secret text', 'pass'), 'a.pdf'))).toMatchObject({
      code: 'Document.Encrypted',
      format: 'pdf',
    });
    expect((await parse(encryptedPdf('Open text', ''), 'a.pdf')).text).toBe('Open text');
  });

  test('more pages than allowed', async () => {
    const error = await failure(parse(await pdfOf(['a', 'b', 'c']), 'a.pdf', { maxPages: 2 }));
    expect(error).toMatchObject({ code: 'Document.TooManyPages', format: 'pdf' });
  });

  test('damaged files fail by name or give what can be read', async () => {
    const whole = Buffer.from(await pdfOf(['Some text on the page.']));
    expect((await failure(parse(Buffer.from('%PDF-1.7\nnothing here'), 'a.pdf'))).code).toBe('Document.Corrupt');
    for (const cut of [20, 100, whole.length - 200, whole.length - 30]) {
      const outcome = await parse(whole.subarray(0, cut), 'a.pdf').then(
        (document) => document.text,
        (error: unknown) => Reflect.get(Object(error), 'code') as unknown,
      );
      expect(['Some text on the page.', 'Document.Corrupt', 'Document.NoText']).toContain(outcome);
    }
  });
});
