import { describe, expect, test } from '@jest/globals';
import { docx, wordParagraph, wordPart } from './support/office-files.ts';
import { failure, linesOf, parse, textsOf } from './support/parse.ts';

const table = (rows: readonly (readonly string[])[], header = false): string =>
  `<w:tbl>${rows
    .map(
      (row, i) =>
        `<w:tr>${header && i === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${row.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join('')}</w:tr>`,
    )
    .join('')}</w:tbl>`;

describe('DOCX', () => {
  test('headings, paragraphs and tables in order', async () => {
    const body =
      wordParagraph('Harbour rules', '<w:pStyle w:val="Heading1"/>') +
      wordParagraph('Text &amp; more.') +
      table(
        [
          ['Code', 'Meaning'],
          ['E-1', 'jammed'],
        ],
        true,
      ) +
      wordParagraph('End.');
    const document = await parse(docx({ body }), 'a.docx');
    expect(linesOf(document)).toEqual([
      ['heading', 'Harbour rules'],
      ['paragraph', 'Text & more.'],
      ['header', 'Code | Meaning'],
      ['row', 'E-1 | jammed'],
      ['paragraph', 'End.'],
    ]);
    expect(document).toMatchObject({ format: 'docx', title: 'Harbour rules' });
  });

  test('headers, footers and text boxes are read, each text once', async () => {
    const box =
      '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>' +
      wordParagraph('In the box') +
      '</w:txbxContent></wps:txbx></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>';
    const document = await parse(
      docx({
        paragraphs: ['Body.'],
        body: box,
        related: [
          ['rId1', 'header', 'header1.xml'],
          ['rId2', 'header', 'header2.xml'],
          ['rId3', 'footer', 'footer1.xml'],
        ],
        parts: {
          'word/header1.xml': wordPart('hdr', wordParagraph('Confidential draft')),
          'word/header2.xml': wordPart('hdr', wordParagraph('Confidential draft')),
          'word/footer1.xml': wordPart('ftr', wordParagraph('Valid from May') + wordParagraph('7')),
        },
      }),
      'a.docx',
    );
    expect(textsOf(document)).toEqual(['Body.', 'In the box', 'Confidential draft', 'Valid from May']);
  });

  test('hidden text, white text on paper and deleted text are not read; white text on a dark cell is', async () => {
    const white = '<w:color w:val="FFFFFF"/>';
    const body =
      wordParagraph('Deposit is 200 marks.') +
      wordParagraph('MAGNOLIA', '', '<w:vanish/>') +
      wordParagraph('MAGNOLIA', '', white) +
      '<w:p><w:del><w:r><w:delText>MAGNOLIA</w:delText></w:r></w:del></w:p>' +
      wordParagraph('Shown', '', '<w:vanish w:val="0"/>') +
      wordParagraph('On dark', '<w:shd w:val="clear" w:fill="003366"/>', white) +
      `<w:tbl><w:tr><w:tc>${wordParagraph('Head', '', white)}</w:tc><w:tc>${wordParagraph('Cell')}</w:tc></w:tr></w:tbl>`;
    expect(textsOf(await parse(docx({ body }), 'a.docx'))).toEqual([
      'Deposit is 200 marks.',
      'Shown',
      'On dark',
      'Head | Cell',
    ]);
  });

  test('formulas are kept on one line', async () => {
    const t = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const math = `<w:p><m:oMathPara><m:oMath>${t('A=π')}<m:sSup><m:e>${t('r')}</m:e><m:sup>${t('2')}</m:sup></m:sSup>${t('+')}<m:f><m:num>${t('a+b')}</m:num><m:den>${t('2')}</m:den></m:f></m:oMath></m:oMathPara></w:p>`;
    expect((await parse(docx({ body: math }), 'a.docx')).text).toBe('A=πr^2+(a+b)/2');
  });

  test('numbers that Word prints before headings and clauses are part of the text; those of plain lists are not', async () => {
    const level = (index: number, text: string, format = 'decimal'): string =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'Article %1', 'upperRoman')}${level(1, '%1.%2')}${level(2, '(%3)', 'lowerLetter')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, '%1.')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>';
    const styles =
      '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>';
    const heading = '<w:pStyle w:val="Heading1"/>';
    const clause = '<w:pStyle w:val="Clause"/>';
    const own = (numId: number, ilvl: number): string =>
      `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr>`;
    const body = [
      wordParagraph('Term', heading),
      wordParagraph('It runs for a year.', clause),
      wordParagraph('It is renewed.', clause),
      wordParagraph('unless notice is given', own(1, 2)),
      wordParagraph('Fees', heading),
      wordParagraph('They are due in May.', clause),
      wordParagraph('a plain item', own(2, 0)),
    ];
    const document = await parse(
      docx({
        body: body.join(''),
        related: [
          ['rId1', 'numbering', 'numbering.xml'],
          ['rId2', 'styles', 'styles.xml'],
        ],
        parts: {
          'word/numbering.xml': wordPart('numbering', numbering),
          'word/styles.xml': wordPart('styles', styles),
        },
      }),
      'a.docx',
    );
    expect(textsOf(document)).toEqual([
      'Article I Term',
      'I.1 It runs for a year.',
      'I.2 It is renewed.',
      '(a) unless notice is given',
      'Article II Fees',
      'II.1 They are due in May.',
      'a plain item',
    ]);
  });

  test('embedded files are named', async () => {
    const document = await parse(
      docx({ paragraphs: ['x'], parts: { 'word/embeddings/oleObject1.bin': 'x' } }),
      'a.docx',
    );
    expect(document.warnings).toEqual([
      expect.objectContaining({ code: 'embedded_object_skipped', part: 'word/embeddings/oleObject1.bin' }),
    ]);
  });

  test('a document of pictures only has no text', async () => {
    expect((await failure(parse(docx({ body: '<w:p/>' }), 'a.docx'))).code).toBe('Document.NoText');
  });

  test('declared entities are refused, not expanded', async () => {
    const bomb = wordPart('document', `<w:body>${wordParagraph('&b;')}</w:body>`).replace(
      '?>',
      '?><!DOCTYPE x [<!ENTITY a "MAGNOLIA"><!ENTITY b "&a;&a;">]>',
    );
    expect((await failure(parse(docx({ parts: { 'word/document.xml': bomb } }), 'a.docx'))).code).toBe(
      'Document.Corrupt',
    );
  });

  test('a damaged zip and a missing part fail by name', async () => {
    const whole = docx({ paragraphs: ['Hello'] });
    expect((await failure(parse(whole.subarray(0, whole.length - 40), 'a.docx'))).code).toBe('Document.Corrupt');
    expect((await failure(parse(docx({ parts: { 'word/document.xml': '<w:document' } }), 'a.docx'))).code).toBe(
      'Document.Corrupt',
    );
  });
});
