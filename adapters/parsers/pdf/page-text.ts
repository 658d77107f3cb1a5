import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A run of text on one baseline, in points from the top left of the upright page. `y` is the baseline; `size` the font's. */
export interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  rightToLeft: boolean;
}

export interface PageText {
  number: number;
  width: number;
  runs: Run[];
  /** Text that does not run along the page (a stamp in the margin), in the order of the file. */
  turned: string[];
  /** Values filled into forms, and notes written on the page. */
  fields: string[];
}

/** Gap, in ems, from which two pieces on a baseline are different runs: wider than a space in justified text. */
const runGap = 1.2;
const wordGap = 0.14;

/** Text of one page as runs, upright whatever way the page is turned. */
export async function readPage(page: PDFPageProxy, number: number): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const [a, b, c, d, e, f] = viewport.transform as [number, number, number, number, number, number];
  const result: PageText = { number, width: viewport.width, runs: [], turned: [], fields: await fieldTexts(page) };
  let open: Run | null = null;
  for (const item of content.items) {
    if (!('str' in item) || item.str === '') continue;
    const [tx, ty, sx, sy, ox, oy] = item.transform as [number, number, number, number, number, number];
    const along = { x: a * tx + c * ty, y: b * tx + d * ty };
    const size = Math.hypot(a * sx + c * sy, b * sx + d * sy) || item.height || 1;
    const place = { x: a * ox + c * oy + e, y: b * ox + d * oy + f };
    if (size < 1 || !isOnPage(place, viewport)) continue;
    if (Math.abs(along.y) > 0.2 * Math.abs(along.x) || along.x < 0) {
      if (item.str.trim() !== '') result.turned.push(item.str);
      continue;
    }
    const run: Run = {
      text: item.dir === 'rtl' ? ligaturesInOrder(item.str) : item.str,
      ...place,
      width: item.width,
      size,
      rightToLeft: item.dir === 'rtl',
    };
    if (open !== null && continues(open, run)) extend(open, run);
    else if (item.str.trim() !== '') result.runs.push((open = run));
  }
  return result;
}

/** Text beside the page is for machines to find, not for readers. */
function isOnPage({ x, y }: { x: number; y: number }, { width, height }: { width: number; height: number }): boolean {
  const margin = 2;
  return x > -margin && y > -margin && x < width + margin && y < height + margin;
}

/** The lam-alef ligature is one glyph of two letters, which turning a right-to-left run round puts in the wrong order; no word has two alefs. */
function ligaturesInOrder(text: string): string {
  return text.replace(/ا([اأإآ])ل/g, 'ال$1');
}

function continues(open: Run, next: Run): boolean {
  if (open.rightToLeft || next.rightToLeft) return false;
  const gap = next.x - (open.x + open.width);
  const em = Math.max(open.size, next.size);
  const blank = next.text.trim() === '' ? next.width : 0;
  return Math.abs(next.y - open.y) < 0.3 * em && gap > -0.5 * em && gap + blank < runGap * em;
}

function extend(open: Run, next: Run): void {
  const gap = next.x - (open.x + open.width);
  const spaced = open.text.endsWith(' ') || next.text.startsWith(' ') || gap < wordGap * Math.max(open.size, next.size);
  open.text += (spaced ? '' : ' ') + next.text;
  open.width = next.x + next.width - open.x;
  open.size = Math.max(open.size, next.text.trim() === '' ? 0 : next.size);
}

async function fieldTexts(page: PDFPageProxy): Promise<string[]> {
  const annotations = (await page.getAnnotations()) as Record<string, unknown>[];
  return annotations.flatMap((annotation) => {
    if (annotation.hidden === true) return [];
    if (annotation.subtype === 'FreeText')
      return textOf((annotation.contentsObj as { str?: unknown } | undefined)?.str);
    if (annotation.subtype !== 'Widget' || annotation.password === true) return [];
    const value = Array.isArray(annotation.fieldValue) ? annotation.fieldValue.join(', ') : annotation.fieldValue;
    if (annotation.fieldType !== 'Tx' && annotation.fieldType !== 'Ch') return [];
    const name = textOf(annotation.alternativeText)[0] ?? textOf(annotation.fieldName)[0];
    return textOf(value).map((text) => (name === undefined ? text : `${name}: ${text}`));
  });
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
}
