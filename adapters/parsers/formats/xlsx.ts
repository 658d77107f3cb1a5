import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { DocumentBuilder } from '../document-builder.ts';
import type { OfficePackage } from '../ooxml/package.ts';
import { cellFormatter } from '../ooxml/cell-format.ts';
import { readSheet, type SheetRow } from '../ooxml/sheet.ts';
import { addTable } from '../table.ts';
import { attributeOf, childAt, findXml, isOn, scanXml, type XmlElement, xmlText } from '../xml.ts';

/** A workbook: each sheet's name as a heading, its tables row by row, numbers and dates as the sheet shows them, then its comments. */
export async function parseXlsx(office: OfficePackage, ctx: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('xlsx', ctx.limits.maxUnpackedBytes);
  const workbook = await office.xml(office.mainPart);
  const related = await office.relationshipsOf(office.mainPart);
  const partOf = (type: string): string | undefined =>
    related.find((relationship) => relationship.type === type)?.target;
  const strings = await sharedStrings(office, partOf('sharedStrings'));
  const date1904 = isOn(attributeOf(childAt(workbook, 'workbookPr'), 'date1904'));
  const styles = partOf('styles');
  const format = cellFormatter(styles === undefined ? null : await office.xml(styles), date1904);
  for (const sheet of findXml(workbook, 'sheet')) {
    const name = attributeOf(sheet, 'name') ?? '';
    const id = Object.entries(sheet.attributes).find(([key]) => key.endsWith(':id'))?.[1];
    const relationship = related.find((candidate) => candidate.id === id);
    if (relationship?.type !== 'worksheet') {
      builder.warn({
        code: 'embedded_object_skipped',
        message: 'A sheet that holds no cells (a chart) was not read.',
        part: name,
      });
      continue;
    }
    if (['hidden', 'veryHidden'].includes(attributeOf(sheet, 'state') ?? '')) {
      builder.warn({ code: 'part_skipped', message: 'A hidden sheet was not read.', part: name });
      continue;
    }
    const content = await office.archive.read(relationship.target);
    if (content === null) {
      builder.warn({ code: 'part_skipped', message: 'A sheet is missing from the file.', part: name });
      continue;
    }
    const heading = new PendingHeading(builder, name);
    readSheet(content, { strings, format }, (block) => {
      heading.add();
      addSheetBlock(block, builder);
    });
    for (const comment of await commentsOf(office, relationship.target)) {
      heading.add();
      builder.paragraph(comment);
    }
  }
  return builder.finish({ title: await office.title() });
}

/** A sheet's name is no content: it is added when there is something under it. */
class PendingHeading {
  private readonly builder: DocumentBuilder;
  private readonly text: string;
  private added = false;

  constructor(builder: DocumentBuilder, text: string) {
    this.builder = builder;
    this.text = text;
  }

  add(): void {
    if (!this.added) this.builder.heading(this.text, 1);
    this.added = true;
  }
}

/** Rows without an empty one between them, as one table, or as several where empty columns set them side by side. */
function addSheetBlock(rows: readonly SheetRow[], builder: DocumentBuilder): void {
  for (const columns of columnGroups(rows)) {
    const part = rows
      .map((row) => columns.map((column) => row.get(column) ?? ''))
      .filter((cells) => cells.some((text) => text !== ''));
    // Columns that only merged cells cover would be empty in every row.
    const used = columns.map((_, index) => part.some((cells) => cells[index] !== ''));
    addCaptionedTable(
      part.map((cells) => cells.filter((_, index) => used[index])),
      builder,
    );
  }
}

/** Runs of neighbouring columns; a column alone is no table of its own and stays with the one before it. */
function columnGroups(rows: readonly SheetRow[]): number[][] {
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((p, q) => p - q);
  const runs: number[][] = [];
  for (const column of columns) {
    const run = runs.at(-1);
    if (run !== undefined && column === (run.at(-1) ?? 0) + 1) run.push(column);
    else runs.push([column]);
  }
  return runs.every((run) => run.length > 1) ? runs : [columns];
}

/** Lone cells on top of a table are its captions. */
function addCaptionedTable(rows: readonly string[][], builder: DocumentBuilder): void {
  const lone = (cells: readonly string[]): boolean =>
    cells.length > 1 && cells.filter((text) => text !== '').length === 1;
  let captions = 0;
  while (rows[captions] !== undefined && lone(rows[captions] ?? [])) captions += 1;
  for (const cells of rows.slice(0, captions)) builder.paragraph(cells.join(''));
  addTable(builder, rows.slice(captions), 'lenient');
}

async function sharedStrings(office: OfficePackage, part: string | undefined): Promise<string[]> {
  const content = part === undefined ? null : await office.archive.read(part);
  const strings: string[] = [];
  if (content === null) return strings;
  let open: string[] | null = null;
  let inText = false;
  let phonetic = false;
  scanXml(content, {
    open: (name) => {
      if (name === 'si') open = [];
      if (name === 'rPh') phonetic = true;
      inText = name === 't' && !phonetic;
    },
    text: (text) => {
      if (inText) open?.push(text);
    },
    close: (name) => {
      if (name === 'rPh') phonetic = false;
      if (name === 't') inText = false;
      if (name === 'si') strings.push((open ?? []).join(''));
    },
  });
  return strings;
}

/** Notes on cells. Threads of comments have a part of their own, and only a stand-in among the notes. */
async function commentsOf(office: OfficePackage, sheet: string): Promise<string[]> {
  const related = (await office.relationshipsOf(sheet)).filter(({ target }) => office.archive.names.includes(target));
  const partOf = (wanted: string): string | undefined => related.find(({ type }) => type === wanted)?.target;
  const threads = partOf('threadedComment');
  const notes = partOf('comments');
  const threaded =
    threads === undefined
      ? []
      : findXml(await office.xml(threads), 'threadedComment').map((c) => commentLine(c, childAt(c, 'text')));
  const plain =
    notes === undefined
      ? []
      : findXml(await office.xml(notes), 'comment').map((c) => commentLine(c, childAt(c, 'text')));
  return [...threaded, ...plain.filter((text) => !text.includes('[Threaded comment]'))];
}

function commentLine(comment: XmlElement, text: XmlElement | undefined): string {
  return `Comment on ${attributeOf(comment, 'ref') ?? ''}: ${text === undefined ? '' : xmlText(text)}`;
}
