import type { Block, ParsedDocument } from '../contracts/parsed-document.ts';
import { addressesIn } from '../text/links.ts';
import { sentences } from '../text/sentences.ts';
import { givesOrders } from './orders.ts';

/**
 * A page of a stranger as a program may read it: a block ends where it begins to give orders to its reader, and what leads to the site of another is
 * left out. The text and all offsets are new. Null when nothing is left.
 * @param host where the page is
 */
export function strangerDocument(document: ParsedDocument, host: string): ParsedDocument | null {
  const blocks: Block[] = [];
  const places = new Map<number, number>();
  let text = '';
  let end = 0;
  for (const [index, block] of document.blocks.entries()) {
    const own = harmless(document.text.slice(block.start, block.end), block.kind, host);
    if (own !== '') {
      const between = blocks.length === 0 ? '' : separator(document.text.slice(end, block.start));
      const start = text.length + between.length;
      text += between + own;
      const { headerBlock, ...rest } = block;
      const header = headerBlock === undefined ? undefined : places.get(headerBlock);
      places.set(index, blocks.length);
      blocks.push({ ...rest, start, end: text.length, ...(header === undefined ? {} : { headerBlock: header }) });
    }
    end = block.end;
  }
  if (blocks.length === 0) return null;
  const title = document.title !== null && givesOrders(document.title, 'stranger') ? null : document.title;
  return { ...document, text, blocks, title };
}

function separator(between: string): string {
  return between.includes('\n\n') ? '\n\n' : '\n';
}

/** What is no running text is kept or dropped whole. */
function harmless(text: string, kind: Block['kind'], host: string): string {
  if (kind !== 'paragraph' && kind !== 'item')
    return givesOrders(text, 'stranger') || leadsElsewhere(text, host) ? '' : text;
  const parts: string[] = [];
  for (const { start, end } of sentences(text)) {
    const sentence = text.slice(start, end);
    if (givesOrders(sentence, 'stranger')) break;
    if (!leadsElsewhere(sentence, host)) parts.push(sentence);
  }
  return parts.join(' ');
}

/** Whether a text has an address that is not of the page's own site: of its host, or one above or below it. */
function leadsElsewhere(text: string, host: string): boolean {
  const site = host.replace(/^www\./, '').toLowerCase();
  return addressesIn(text).some((address) => {
    const other = (address.split('@').at(-1) ?? '').replace(/^[a-z][a-z0-9+.-]*:\/*/, '').replace(/[/?#:].*$/s, '');
    return other !== site && !other.endsWith(`.${site}`) && !site.endsWith(`.${other}`);
  });
}
