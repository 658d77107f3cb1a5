import { ParseError } from '../port.ts';
import type { ParseFailure } from './protocol.ts';

/** The one place where what a parser or a library throws becomes a typed failure. A library's message may quote the document: it is not passed on. */
export function asParseFailure(error: unknown): ParseFailure {
  if (error instanceof ParseError) return { code: error.code, message: error.message, format: error.format };
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return { code: 'Document.Corrupt', message: 'The document is nested too deeply to be read.', format: null };
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return {
    code: 'Document.Corrupt',
    message: `The document could not be read: it is damaged or uses something unsupported (${kind}).`,
    format: null,
  };
}
