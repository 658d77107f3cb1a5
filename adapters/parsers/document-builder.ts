import type { Block, DocumentFormat, ParsedDocument, ParseWarning } from '../../domain/contracts/parsed-document.ts';
import { givesOrders } from '../../domain/untrusted/orders.ts';
import { inlineText, preformattedText } from './inline-text.ts';
import { ParseError } from './port.ts';

export interface DocumentProperties {
  title?: string | null;
  language?: string | null;
  frontMatter?: Record<string, unknown>;
  pages?: number | null;
}

const groupOf: Record<Block['kind'], 'list' | 'table' | null> = {
  heading: null,
  paragraph: null,
  code: null,
  item: 'list',
  header: 'table',
  row: 'table',
};

/**
 * Appends blocks in reading order and keeps their offsets. Blocks are separated by an empty line; items of one list and rows of
 * one table by a line end. Text is normalised here and nowhere else; blocks without text are not added.
 */
export class DocumentBuilder {
  readonly format: DocumentFormat;
  readonly blocks: Block[] = [];
  readonly warnings: ParseWarning[] = [];
  /** Page given to the blocks that follow. */
  page: number | null = null;
  private readonly maxCharacters: number;
  /** Texts of blocks and, between them, what separates them. */
  private readonly pieces: string[] = [];
  private length = 0;
  private groupEnded = true;

  /** `maxCharacters` bounds the text, since a small file can repeat one long string for ever (`Document.TooLargeUnpacked`). */
  constructor(format: DocumentFormat, maxCharacters: number) {
    this.format = format;
    this.maxCharacters = maxCharacters;
  }

  heading(text: string, level: number): void {
    this.append('heading', inlineText(text), { level: Math.min(6, Math.max(1, level)) });
  }

  paragraph(text: string): void {
    this.append('paragraph', inlineText(text));
  }

  item(text: string): void {
    this.append('item', inlineText(text));
  }

  code(text: string): void {
    this.append('code', preformattedText(text));
  }

  /** Starts a new table or list: the next row or item is set off by an empty line. */
  endGroup(): void {
    this.groupEnded = true;
  }

  /** Adds a table's header row; the index is what its rows pass to `row`. */
  header(cells: readonly string[]): number | null {
    this.endGroup();
    return this.append('header', rowText(cells));
  }

  row(cells: readonly string[], headerBlock: number | null): void {
    this.append('row', rowText(cells), headerBlock === null ? {} : { headerBlock });
  }

  /** Texts of the blocks so far. */
  get texts(): string[] {
    return this.pieces.filter((_, index) => index % 2 === 0);
  }

  warn(warning: ParseWarning): void {
    this.warnings.push(warning);
  }

  /** Throws `Document.NoText` when nothing was added. */
  finish(properties: DocumentProperties = {}): ParsedDocument {
    if (this.blocks.length === 0) {
      throw new ParseError('Document.NoText', 'The document holds no extractable text.', { format: this.format });
    }
    const title = inlineText(properties.title ?? '');
    const language = inlineText(properties.language ?? '');
    const text = this.pieces.join('');
    if (text.includes('\ufffd')) {
      this.warn({ code: 'undecodable_characters', message: 'Some characters could not be read and appear as \ufffd.' });
    }
    return {
      format: this.format,
      text,
      blocks: this.blocks,
      title: title === '' || givesOrders(title, 'own') ? null : title.slice(0, 500),
      language: language === '' ? null : language.slice(0, 35),
      frontMatter: properties.frontMatter ?? {},
      pages: properties.pages ?? null,
      warnings: this.warnings,
    };
  }

  private append(kind: Block['kind'], text: string, extra: Partial<Block> = {}): number | null {
    if (text === '') return null;
    const previous = this.blocks.at(-1);
    if (previous !== undefined) {
      const sameGroup = groupOf[kind] !== null && groupOf[kind] === groupOf[previous.kind] && !this.groupEnded;
      this.push(sameGroup ? '\n' : '\n\n');
    }
    const start = this.length;
    this.push(text);
    if (this.length > this.maxCharacters) {
      throw new ParseError(
        'Document.TooLargeUnpacked',
        `The document unpacks to more than ${this.maxCharacters} characters of text.`,
        {
          format: this.format,
        },
      );
    }
    const page = this.page === null ? {} : { page: this.page };
    this.blocks.push({ kind, start, end: this.length, ...extra, ...page });
    this.groupEnded = false;
    return this.blocks.length - 1;
  }

  private push(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}

/** Cells joined by " | ", empty cells kept in place so that columns line up with the header, empty cells at the end dropped. */
function rowText(cells: readonly string[]): string {
  const texts = cells.map(inlineText);
  while (texts.at(-1) === '') texts.pop();
  return texts.join(' | ');
}
