import type { Citation } from '../contracts/answer.ts';
import type { KeptStrip } from '../contracts/evidence.ts';

/** A kept strip with the words it stands for. `text` is the document's text from `start` to `end`. */
export interface QuotableStrip extends KeptStrip {
  kind: 'sentence' | 'item' | 'row' | 'code';
  text: string;
  header: Quotation | null;
  source: Pick<Citation, 'origin' | 'title' | 'uri' | 'section' | 'page' | 'readAt'>;
}

/** A span of a document and its text, offsets in UTF-16 code units. */
interface Quotation {
  start: number;
  end: number;
  text: string;
}

/** A span of a document that can be cited, and where it is from. */
export type Citable = Quotation & Pick<QuotableStrip, 'evidenceId' | 'documentId' | 'source'>;

/** The citations of an answer, numbered from 1 in the order of their first use; a span that is cited again keeps its number. */
export class CitationList {
  readonly all: Citation[] = [];

  /** The number of a strip, or of its table header where that is given as `span`. */
  cite(strip: Citable, span: Quotation = strip): number {
    const { start, end, text: quote } = span;
    const known = this.all.find((c) => c.documentId === strip.documentId && c.start === start && c.end === end);
    if (known) return known.n;
    const n = this.all.length + 1;
    const { evidenceId, documentId, source } = strip;
    this.all.push({ n, evidenceId, documentId, ...source, quote, start, end });
    return n;
  }

  /** The numbers of a strip and, for a row of a table, of its header. */
  citeWithHeader(strip: QuotableStrip): number[] {
    const own = this.cite(strip);
    return strip.kind === 'row' && strip.header ? [own, this.cite(strip, strip.header)] : [own];
  }
}
