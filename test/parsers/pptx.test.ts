import { describe, expect, test } from '@jest/globals';
import { pptx, slideShape } from './support/office-files.ts';
import { failure, linesOf, parse, textsOf } from './support/parse.ts';

const cell = (text: string): string => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const table = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Plan')}${cell('Price')}</a:tr><a:tr>${cell('Gold')}${cell('55')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

describe('PPTX', () => {
  test('slides are pages: title first, list, table, notes', async () => {
    const document = await parse(
      pptx([
        {
          shapes:
            slideShape(['Loose']) +
            slideShape(['one', 'two'], 'body') +
            slideShape(['Prices'], 'title') +
            table +
            slideShape(['3'], 'sldNum'),
          notes: 'Say this.',
        },
        { shapes: `<p:grpSp>${slideShape(['In a group'])}</p:grpSp>` },
      ]),
      'a.pptx',
    );
    expect(linesOf(document)).toEqual([
      ['heading', 'Prices'],
      ['paragraph', 'Loose'],
      ['item', 'one'],
      ['item', 'two'],
      ['header', 'Plan | Price'],
      ['row', 'Gold | 55'],
      ['paragraph', 'Say this.'],
      ['paragraph', 'In a group'],
    ]);
    expect(document.blocks.map((block) => block.page)).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
    expect(document).toMatchObject({ format: 'pptx', pages: 2, title: 'Prices' });
  });

  test('slides without text and hidden slides are named', async () => {
    const document = await parse(
      pptx([{ shapes: slideShape(['x']) }, { shapes: '' }, { shapes: slideShape(['MAGNOLIA']), hidden: true }]),
      'a.pptx',
    );
    expect(textsOf(document)).toEqual(['x']);
    expect(document.warnings.map(({ code, pages }) => ({ code, pages }))).toEqual([
      { code: 'part_skipped', pages: [3] },
      { code: 'no_text_on_page', pages: [2] },
    ]);
  });

  test('more slides than allowed', async () => {
    const slides = Array.from({ length: 4 }, () => ({ shapes: slideShape(['x']) }));
    expect((await failure(parse(pptx(slides), 'a.pptx', { maxPages: 3 }))).code).toBe('Document.TooManyPages');
  });

  test('pictures only: no text', async () => {
    expect((await failure(parse(pptx([{ shapes: '' }]), 'a.pptx'))).code).toBe('Document.NoText');
  });
});
