import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts, type PDFPage } from 'pdf-lib';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface TextAt {
  text: string;
  x: number;
  y: number;
  size?: number;
}

/** Draws pages by hand. `y` is from the top. */
export async function drawnPdf(
  pages: readonly (readonly TextAt[])[],
  change?: (page: PDFPage, index: number) => void,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const [index, texts] of pages.entries()) {
    const page = pdf.addPage([595, 842]);
    for (const { text, x, y, size = 11 } of texts) page.drawText(text, { x, y: 842 - y, size, font });
    change?.(page, index);
  }
  return pdf.save();
}

/** One page for each text (lines by \n); null is a page with a picture only. */
export async function pdfOf(
  pages: readonly (string | null)[],
  properties: { title?: string } = {},
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  if (properties.title !== undefined) pdf.setTitle(properties.title);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const picture = await pdf.embedPng(pixel);
  for (const text of pages) {
    const page = pdf.addPage([595, 842]);
    if (text === null) page.drawImage(picture, { x: 50, y: 50, width: 400, height: 600 });
    else page.drawText(text, { x: 72, y: 750, size: 11, lineHeight: 14, font });
  }
  return pdf.save();
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const md5 = (...parts: Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const s = Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (s[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    [s[i], s[j]] = [s[j] ?? 0, s[i] ?? 0];
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) % 256;
      j = (j + (s[i] ?? 0)) % 256;
      [s[i], s[j]] = [s[j] ?? 0, s[i] ?? 0];
      return byte ^ (s[((s[i] ?? 0) + (s[j] ?? 0)) % 256] ?? 0);
    }),
  );
}

/** A PDF under the standard security handler, revision 2 (RC4, 40 bits): ISO 32000-1, 7.6.3. An empty user password lets everyone read. */
export function encryptedPdf(text: string, userPassword: string): Uint8Array {
  const id = Buffer.alloc(16, 7);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(userPassword));
  const key = md5(padded(userPassword), owner, permissions, id).subarray(0, 5);
  const user = rc4(key, padding);
  const stream = rc4(
    md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10),
    Buffer.from(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`),
  );
  return rawPdf(stream, {
    encrypt: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -4 >>`,
    id: id.toString('hex'),
  });
}

/** A page whose content unpacks to `bytes` bytes of white space. */
export function inflatingPdf(bytes: number): Uint8Array {
  return rawPdf(deflateSync(Buffer.alloc(bytes, ' ')), { filter: '/Filter /FlateDecode' });
}

/** One page in a font that is not embedded and encoded in Shift_JIS, as Japanese programs write it. */
export function japanesePdf(shiftJis: Uint8Array): Uint8Array {
  const stream = Buffer.from(`BT /F1 12 Tf 72 700 Td <${Buffer.from(shiftJis).toString('hex')}> Tj ET`);
  return rawPdf(stream, {
    font: '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>',
  });
}

function rawPdf(
  stream: Uint8Array,
  options: { encrypt?: string; id?: string; filter?: string; font?: string },
): Uint8Array {
  const font = options.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const objects: Uint8Array[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 ${font} >> >> >>`,
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} ${options.filter ?? ''} >>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = 9;
  const push = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const encrypt = options.encrypt === undefined ? '' : `/Encrypt ${options.encrypt}`;
  const id = options.id === undefined ? '' : `/ID [<${options.id}> <${options.id}>]`;
  push(
    Buffer.from(
      `xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<< /Size 5 /Root 1 0 R ${encrypt} ${id} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
