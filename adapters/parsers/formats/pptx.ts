import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { addChart } from '../ooxml/chart.ts';
import type { OfficePackage } from '../ooxml/package.ts';
import { addShapes } from '../ooxml/slide.ts';
import { paragraphTexts } from '../ooxml/word-xml.ts';
import { ParseError } from '../port.ts';
import { attributeOf, findXml, isOn, type XmlElement } from '../xml.ts';

/** A presentation slide by slide (a slide is a page): titles as headings, text, tables, charts as tables, and the speaker's notes. */
export async function parsePptx(office: OfficePackage, ctx: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('pptx', ctx.limits.maxUnpackedBytes);
  const related = await office.relationshipsOf(office.mainPart);
  const slides = findXml(await office.xml(office.mainPart), 'sldId').map((slide) => {
    const id = Object.entries(slide.attributes).find(([key]) => key.endsWith(':id'))?.[1];
    return related.find((relationship) => relationship.id === id)?.target;
  });
  if (slides.length > ctx.limits.maxPages) {
    throw new ParseError(
      'Document.TooManyPages',
      `The presentation has ${slides.length} slides; at most ${ctx.limits.maxPages} are read.`,
      { format: 'pptx' },
    );
  }
  const empty: number[] = [];
  for (const [index, part] of slides.entries()) {
    const page = index + 1;
    if (part === undefined || !office.archive.names.includes(part)) {
      builder.warn({ code: 'part_skipped', message: `Slide ${page} is missing from the file.`, pages: [page] });
      continue;
    }
    const slide = await office.xml(part);
    if (!isOn(attributeOf(slide, 'show') ?? '1')) {
      builder.warn({ code: 'part_skipped', message: `Slide ${page} is hidden and was not read.`, pages: [page] });
      continue;
    }
    const before = builder.blocks.length;
    builder.page = page;
    await addSlide(office, { part, slide }, builder);
    if (builder.blocks.length === before) empty.push(page);
  }
  if (empty.length > 0) {
    builder.warn({
      code: 'no_text_on_page',
      message: `No text on slides ${empty.join(', ')}: pictures of text are not read.`,
      pages: empty,
    });
  }
  const document = builder.finish({ title: await office.title(), pages: slides.length });
  const [first] = document.blocks.filter((block) => block.kind === 'heading');
  const generic = document.title === null || /^(powerpoint[- ]presentation|presentation)$/i.test(document.title);
  return generic && first !== undefined
    ? { ...document, title: document.text.slice(first.start, first.end) }
    : document;
}

async function addSlide(
  office: OfficePackage,
  { part, slide }: { part: string; slide: XmlElement },
  builder: DocumentBuilder,
): Promise<void> {
  addShapes(slide, builder);
  for (const { type, target } of await office.relationshipsOf(part)) {
    if (!office.archive.names.includes(target)) continue;
    if (type === 'chart') addChart(await office.xml(target), builder);
    if (type === 'diagramData') for (const text of paragraphTexts(await office.xml(target))) builder.paragraph(text);
    if (type === 'notesSlide') addShapes(await office.xml(target), builder, { only: 'body' });
    if (type === 'package' || type === 'oleObject') {
      builder.warn({
        code: 'embedded_object_skipped',
        message: 'A file embedded in a slide was not read.',
        part: target,
      });
    }
  }
}
