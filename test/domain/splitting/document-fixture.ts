import { createHash } from 'node:crypto';
import type { Block, ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { SplitterOptions } from '../../../domain/splitting/options.ts';

export type Piece = Omit<Block, 'start' | 'end'> & { text: string };

/** A parsed document of these blocks, an empty line between them. */
export function documentOf(pieces: Piece[]): ParsedDocument {
  let text = '';
  const blocks: Block[] = pieces.map(({ text: own, ...block }) => {
    if (text !== '') text += '\n\n';
    const start = text.length;
    text += own;
    return { ...block, start, end: text.length };
  });
  return { format: 'markdown', text, blocks, title: null, language: null, frontMatter: {}, pages: null, warnings: [] };
}

export const identity = { tenant: 'acme', documentId: 'fees', version: 'v1', title: 'Fees' };

export const options: SplitterOptions = {
  targetTokens: 40,
  overlapTokens: 10,
  maxTokens: 128,
  countTokens: (text) => text.split(/\s+/).filter(Boolean).length,
  hash: (text) => createHash('sha256').update(text).digest('hex'),
};

/** `count` sentences of `length` words each, all different. */
export function prose(count: number, length: number, label: string): string {
  return Array.from({ length: count }, (_, n) =>
    `${label}${n} ${'word '.repeat(length - 2)}end.`.replace(/^./, (c) => c.toUpperCase()),
  ).join(' ');
}
