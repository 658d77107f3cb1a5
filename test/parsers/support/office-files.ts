import { strToU8, zipSync, type Zippable } from 'fflate';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
};

type Parts = Record<string, string | Uint8Array>;

/** Relationships as [id, type, target]. */
export function relationships(list: readonly [string, string, string][]): string {
  const rows = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${officeTypes}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;
}

function office(format: keyof typeof contentTypes, main: string, parts: Parts): Uint8Array {
  const all = { ...packageParts(format, main), ...parts };
  const files: Zippable = Object.fromEntries(
    Object.entries(all).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
  );
  return zipSync(files, { level: 6 });
}

/** The parts that say what the package is. */
export function packageParts(format: keyof typeof contentTypes, main: string): Record<string, string> {
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${contentTypes[format]}"/></Types>`,
    '_rels/.rels': relationships([['rId1', 'officeDocument', main]]),
  };
}

export interface WordFile {
  paragraphs?: string[];
  /** WordprocessingML after the paragraphs. */
  body?: string;
  /** Further relationships of the document, with their parts. */
  related?: [string, string, string][];
  parts?: Parts;
}

export function wordParagraph(text: string, properties = '', runProperties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${runProperties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function wordPart(root: string, content: string): string {
  return `${declaration}<w:${root} ${w} ${r} xmlns:v="urn:schemas-microsoft-com:vml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">${content}</w:${root}>`;
}

export function docx({ paragraphs = [], body = '', related = [], parts = {} }: WordFile): Uint8Array {
  return office('docx', 'word/document.xml', {
    'word/document.xml': wordPart(
      'document',
      `<w:body>${paragraphs.map((text) => wordParagraph(text)).join('')}${body}</w:body>`,
    ),
    'word/_rels/document.xml.rels': relationships(related),
    ...parts,
  });
}

export interface Sheet {
  name: string;
  /** SpreadsheetML rows. */
  rows: string;
  after?: string;
  state?: string;
}

export function xlsx(
  sheets: readonly Sheet[],
  options: { strings?: string[]; styles?: string; date1904?: boolean } = {},
): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const parts: Parts = {
    'xl/workbook.xml': `${declaration}<workbook ${main} ${r}><workbookPr date1904="${options.date1904 === true ? 1 : 0}"/><sheets>${sheets
      .map(
        (sheet, i) =>
          `<sheet name="${sheet.name}" sheetId="${i + 1}" state="${sheet.state ?? 'visible'}" r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, i): [string, string, string] => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`]),
      ['rS', 'sharedStrings', 'sharedStrings.xml'],
      ['rT', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `${declaration}<sst ${main}>${(options.strings ?? []).map((s) => `<si>${s.startsWith('<') ? s : `<t>${s}</t>`}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${declaration}<styleSheet ${main}>${options.styles ?? ''}</styleSheet>`,
  };
  for (const [i, sheet] of sheets.entries()) {
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `${declaration}<worksheet ${main}><sheetData>${sheet.rows}</sheetData>${sheet.after ?? ''}</worksheet>`;
  }
  return office('xlsx', 'xl/workbook.xml', parts);
}

/** A row of cells given as values: numbers and inline strings, from column A. */
export function sheetRow(number: number, cells: readonly (string | number | null)[]): string {
  const xml = cells.map((cell, i) => {
    const reference = `${String.fromCharCode(65 + i)}${number}`;
    if (cell === null) return '';
    return typeof cell === 'number'
      ? `<c r="${reference}"><v>${cell}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${number}">${xml.join('')}</row>`;
}

export interface Slide {
  /** PresentationML shapes. */
  shapes: string;
  notes?: string;
  hidden?: boolean;
}

export function slideShape(paragraphs: readonly string[], placeholder?: string): string {
  const text = paragraphs.map((p) => `<a:p><a:r><a:t>${p}</a:t></a:r></a:p>`).join('');
  const ph = placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:cNvSpPr/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

export function pptx(slides: readonly Slide[]): Uint8Array {
  const p = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${a} ${r}`;
  const tree = (shapes: string): string => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;
  const parts: Parts = {
    'ppt/presentation.xml': `${declaration}<p:presentation ${p}><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map((_, i) => [`rId${i + 1}`, 'slide', `slides/slide${i + 1}.xml`]),
    ),
  };
  for (const [i, slide] of slides.entries()) {
    parts[`ppt/slides/slide${i + 1}.xml`] =
      `${declaration}<p:sld ${p} show="${slide.hidden === true ? 0 : 1}">${tree(slide.shapes)}</p:sld>`;
    if (slide.notes === undefined) continue;
    parts[`ppt/slides/_rels/slide${i + 1}.xml.rels`] = relationships([
      ['rN', 'notesSlide', `../notesSlides/notesSlide${i + 1}.xml`],
    ]);
    parts[`ppt/notesSlides/notesSlide${i + 1}.xml`] =
      `${declaration}<p:notes ${p}>${tree(slideShape([slide.notes], 'body') + slideShape(['7'], 'sldNum'))}</p:notes>`;
  }
  return office('pptx', 'ppt/presentation.xml', parts);
}
