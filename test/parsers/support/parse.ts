import { expect } from '@jest/globals';
import { parseBytes } from '../../../adapters/parsers/parse-bytes.ts';
import { ParseError, type ParseLimits } from '../../../adapters/parsers/port.ts';
import type { Block, ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import { normaliseText } from '../../../domain/text/normalise.ts';
import { limits } from './limits.ts';

export type Line = [kind: Block['kind'], text: string];

/** Parses in this process and checks what holds for every document of every format. */
export async function parse(
  content: string | Uint8Array,
  name: string,
  own: Partial<ParseLimits> = {},
): Promise<ParsedDocument> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const document = await parseBytes(bytes, { name, limits: { ...limits, ...own } });
  expectWellFormed(document);
  return document;
}

export function linesOf(document: ParsedDocument): Line[] {
  return document.blocks.map((block) => [block.kind, document.text.slice(block.start, block.end)]);
}

export function textsOf(document: ParsedDocument): string[] {
  return linesOf(document).map(([, text]) => text);
}

export async function failure(parsing: Promise<ParsedDocument>): Promise<ParseError> {
  const error: unknown = await parsing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ParseError)) throw new Error(`expected a ParseError, got ${String(error)}`);
  return error;
}

/** Blocks in order, touching nothing but line ends between them, their text normalised, rows under a header that comes before them. */
export function expectWellFormed(document: ParsedDocument): void {
  let end = 0;
  for (const [index, block] of document.blocks.entries()) {
    expect(document.text.slice(end, block.start)).toMatch(index === 0 ? /^$/ : /^\n\n?$/);
    expect(document.text.slice(block.start, block.end).trim()).not.toBe('');
    if (block.headerBlock !== undefined) {
      expect(block.headerBlock).toBeLessThan(index);
      expect(document.blocks[block.headerBlock]?.kind).toBe('header');
    }
    expect(block.level !== undefined).toBe(block.kind === 'heading');
    end = block.end;
  }
  expect(document.text.length).toBe(end);
  expect(normaliseText(document.text)).toBe(document.text);
}
