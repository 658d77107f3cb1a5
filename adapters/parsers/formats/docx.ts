import type { Root } from 'hast';
import { zipSync } from 'fflate';
import { fromHtml } from 'hast-util-from-html';
import mammoth from 'mammoth';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { findAll, stringProperty, without } from '../hast/elements.ts';
import { plainText } from '../hast/plain-text.ts';
import { addHast } from '../hast/to-blocks.ts';
import { visibleTree } from '../hast/visible.ts';
import { inlineText } from '../inline-text.ts';
import { addChart } from '../ooxml/chart.ts';
import type { OfficePackage } from '../ooxml/package.ts';
import { paragraphNumbers } from '../ooxml/word-numbering.ts';
import { paragraphTexts, simplifyWordXml } from '../ooxml/word-xml.ts';
import { findXml, parseXml, scanXml, serialiseXml, type XmlElement } from '../xml.ts';

const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** A Word document: its body by way of mammoth, then what stands beside the body: text boxes, charts, diagrams, headers and footers. */
export async function parseDocx(office: OfficePackage, ctx: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('docx', ctx.limits.maxUnpackedBytes);
  const { files, body } = await simplifiedParts(office);
  const buffer = Buffer.from(zipSync(files, { level: 0 }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { styleMap, convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  const tree = visibleTree(withoutNoteLinks(fromHtml(value, { fragment: true })), builder);
  addHast(tree, builder);
  await addBesideBody(office, body, builder);
  for (const name of office.archive.names.filter((part) => /\/embeddings\/[^/]*\.(?!xlsx$)/.test(part))) {
    builder.warn({
      code: 'embedded_object_skipped',
      message: 'A file embedded in the document was not read.',
      part: name,
    });
  }
  const heading = findAll(tree, (element) => element.tagName === 'h1')[0];
  const title = inlineText((await office.title()) ?? '');
  return builder.finish({ title: title === '' ? (heading === undefined ? null : plainText(heading)) : title });
}

/** The zip that mammoth gets: XML only, already unpacked within the limits, simplified, and stored without compression. */
async function simplifiedParts(
  office: OfficePackage,
): Promise<{ files: Record<string, Uint8Array>; body: XmlElement }> {
  const files: Record<string, Uint8Array> = {};
  const whole = await office.xml(office.mainPart);
  const numbers = paragraphNumbers(whole, await relatedXml(office, 'numbering'), await relatedXml(office, 'styles'));
  const body = simplifyWordXml(whole, numbers);
  for (const name of office.archive.names.filter(
    (part) => /\.(xml|rels)$/i.test(part) && !part.startsWith('customXml/'),
  )) {
    const bytes = await office.archive.read(name);
    if (bytes === null) continue;
    const notes = /(foot|end)notes\d*\.xml$/.test(name);
    if (notes) files[name] = encoded(simplifyWordXml(parseXml(bytes)));
    // What mammoth is to read must be XML without entities of its own, as everything that is read here.
    else scanXml(bytes, {});
    files[name] ??= bytes;
  }
  files[office.mainPart] = encoded(body);
  return { files, body };
}

function encoded(root: XmlElement): Uint8Array {
  return new TextEncoder().encode(serialiseXml(root));
}

async function relatedXml(office: OfficePackage, wanted: string): Promise<XmlElement | null> {
  const part = (await office.relationshipsOf(office.mainPart)).find(({ type }) => type === wanted)?.target;
  return part === undefined || !office.archive.names.includes(part) ? null : office.xml(part);
}

/** Numbers of notes in the text, and the arrows back to them. */
function withoutNoteLinks(root: Root): Root {
  return without(
    root,
    (element) => element.tagName === 'a' && /^#(foot|end)note-/.test(stringProperty(element, 'href')),
  );
}

/** Adds, in this order, what mammoth left out: each paragraph once, unless the body says it already. */
async function addBesideBody(office: OfficePackage, body: XmlElement, builder: DocumentBuilder): Promise<void> {
  const said = new Set(builder.texts);
  const addNew = (texts: readonly string[]): void => {
    for (const text of texts.map(inlineText)) {
      if (text === '' || said.has(text) || !/\p{L}/u.test(text)) continue;
      said.add(text);
      builder.paragraph(text);
    }
  };
  for (const box of findXml(body, 'txbxContent')) addNew(paragraphTexts(box));
  const related = (await office.relationshipsOf(office.mainPart)).filter(({ target }) =>
    office.archive.names.includes(target),
  );
  for (const { target } of related.filter(({ type }) => type === 'chart')) addChart(await office.xml(target), builder);
  for (const type of ['diagramData', 'header', 'footer']) {
    for (const { target } of related.filter((relationship) => relationship.type === type)) {
      addNew(paragraphTexts(simplifyWordXml(await office.xml(target))));
    }
  }
}
