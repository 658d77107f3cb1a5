import type { DocumentFormat, ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseError, ParseLimits, ParseRequest } from '../port.ts';

/** One file for a parsing process. */
export interface ParseJob extends ParseRequest {
  limits: ParseLimits;
}

export interface ParseFailure {
  code: ParseError['code'];
  message: string;
  format: DocumentFormat | null;
}

/** What the process sends back. `rssBytes`: its memory after the job, by which its owner decides to replace it. */
export interface ParseReply {
  result: { document: ParsedDocument } | { failure: ParseFailure };
  rssBytes: number;
}

/** Bytes a parsing process may hold: its heap, the file and what it unpacks to, and what Node itself takes. */
export function memoryCeiling(limits: ParseLimits): number {
  const runtimeBytes = 160 * 1024 * 1024;
  return limits.maxMemoryMb * 1024 * 1024 + limits.maxBytes + limits.maxUnpackedBytes + runtimeBytes;
}
