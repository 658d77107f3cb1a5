import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { ParseContext } from './context.ts';
import { detectFormat } from './detect-format.ts';

/** Tells the format and reads the document. Parsers are loaded when first needed: most folders hold one or two formats. */
export async function parseBytes(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const format = await detectFormat(bytes, ctx.name);
  switch (format) {
    case 'markdown':
      return (await import('./formats/markdown.ts')).parseMarkdown(bytes, ctx);
    case 'text':
      return (await import('./formats/text.ts')).parseText(bytes, ctx);
    case 'html':
      return (await import('./formats/html.ts')).parseHtml(bytes, ctx);
    case 'csv':
      return (await import('./formats/csv.ts')).parseCsv(bytes, ctx);
    case 'eml':
      return (await import('./formats/eml.ts')).parseEml(bytes, ctx);
    case 'pdf':
      return (await import('./formats/pdf.ts')).parsePdf(bytes, ctx);
    case 'zip':
      return parseOffice(bytes, ctx);
  }
}

async function parseOffice(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const { openOfficePackage } = await import('./ooxml/package.ts');
  const office = await openOfficePackage(bytes, ctx.limits);
  switch (office.format) {
    case 'docx':
      return (await import('./formats/docx.ts')).parseDocx(office, ctx);
    case 'xlsx':
      return (await import('./formats/xlsx.ts')).parseXlsx(office, ctx);
    case 'pptx':
      return (await import('./formats/pptx.ts')).parsePptx(office, ctx);
  }
}
