import { open } from 'node:fs/promises';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { ParseContext } from './context.ts';
import { parseBytes } from './parse-bytes.ts';
import { ParseError } from './port.ts';

/** Reads and parses one file. Throws `Document.NotFound`, `Document.TooLarge`, and what `parseBytes` throws. */
export async function parseFile(path: string, ctx: ParseContext): Promise<ParsedDocument> {
  return parseBytes(await readBounded(path, ctx.limits.maxBytes), ctx);
}

/** The size that counts is the one read: a file may grow after it was asked for its size. */
async function readBounded(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new ParseError('Document.NotFound', 'The file could not be opened.', { cause });
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new ParseError('Document.NotFound', 'The path is not that of a file.');
    if (stat.size > maxBytes) throw tooLarge(maxBytes);
    const chunks: Uint8Array[] = [];
    let length = 0;
    const stream: AsyncIterable<Uint8Array> = file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 });
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
  } finally {
    await file.close();
  }
}

function tooLarge(maxBytes: number): ParseError {
  return new ParseError('Document.TooLarge', `The file is larger than ${maxBytes} bytes.`);
}
