import type { DocumentFormat, ParsedDocument } from '../../domain/contracts/parsed-document.ts';

export interface ParseLimits {
  /** Size of the source, and of all that it unpacks to. */
  maxBytes: number;
  maxUnpackedBytes: number;
  maxEntries: number;
  maxPages: number;
  timeoutMs: number;
  /** Heap of the process that parses. */
  maxMemoryMb: number;
}

export interface ParseRequest {
  path: string;
  name: string;
  /** Whether it is a page of the web, to be reduced to its main part. Default: false. */
  article?: boolean;
}

/** Reads a file by its content (the name only helps where content cannot decide, as between Markdown and text). Runs where a bomb cannot take the caller down. */
export interface DocumentParser {
  parse(file: ParseRequest, signal?: AbortSignal): Promise<ParsedDocument>;
  close(): Promise<void>;
}

/** Why a file gave no document. Never retryable, except `Document.ParserCrashed`. Messages hold no document text. */
export class ParseError extends Error {
  readonly code:
    | 'Document.NoText'
    | 'Document.Encrypted'
    | 'Document.TooLarge'
    | 'Document.TooLargeUnpacked'
    | 'Document.TooManyEntries'
    | 'Document.TooManyPages'
    | 'Document.Timeout'
    | 'Document.UnknownType'
    | 'Document.Undecodable'
    | 'Document.Corrupt'
    | 'Document.NotFound'
    | 'Document.ParserCrashed';
  readonly format: DocumentFormat | null;
  constructor(
    code: ParseError['code'],
    message: string,
    options: { format?: DocumentFormat | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ParseError';
    this.code = code;
    this.format = options.format ?? null;
  }
}
