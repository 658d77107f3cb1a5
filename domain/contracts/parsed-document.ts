/**
 * What every parser returns. `text` is the document's normalised text: the only text that passages, quotes and
 * offsets (UTF-16 code units) refer to. Blocks are in order, do not overlap, and cover all that can be cited.
 */
export interface ParsedDocument {
  format: DocumentFormat;
  text: string;
  blocks: Block[];
  /** From the file itself (a heading, the title element, document properties), if it has one. */
  title: string | null;
  language: string | null;
  /** Front matter as found; checked by the caller. */
  frontMatter: Record<string, unknown>;
  pages: number | null;
  warnings: ParseWarning[];
}

export type DocumentFormat = 'markdown' | 'text' | 'html' | 'pdf' | 'docx' | 'xlsx' | 'csv' | 'pptx' | 'eml';

export interface Block {
  /** `row` is one table row, its cells joined by " | "; `header` is a table's header row, written the same way. */
  kind: 'heading' | 'paragraph' | 'item' | 'code' | 'row' | 'header';
  start: number;
  end: number;
  /** Headings: 1–6. */
  level?: number;
  page?: number;
  /** Rows: index into `blocks` of the table's header row. */
  headerBlock?: number;
}

/** Something that could not be read, named so that a person can find it. Never contains document text. */
export interface ParseWarning {
  code: 'no_text_on_page' | 'part_skipped' | 'undecodable_characters' | 'embedded_object_skipped' | 'truncated_table';
  message: string;
  /** 1-based pages concerned, or names of parts. */
  pages?: number[];
  part?: string;
}
