import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PageError } from '../port.ts';

export interface BodyLimits {
  maxBytes: number;
  maxUnpackedBytes: number;
}

/** Told to servers; what they may use. */
export const acceptedCodings = 'gzip, br';

type Chunks = AsyncIterable<Uint8Array>;

/**
 * The bytes of a response, unpacked as they come: nothing over a limit is ever held, however small the bomb.
 * @throws PageError `too_large` or `bad_response`, and what the connection or the decoder throws
 */
export async function readBody(
  { body, coding, length }: { body: Readable; coding: string | null; length: string | null },
  { maxBytes, maxUnpackedBytes }: BodyLimits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const onTheWire = bounded(maxBytes, `The page is larger than ${maxBytes} bytes.`);
  const unpacked = bounded(maxUnpackedBytes, `The page unpacks to more than ${maxUnpackedBytes} bytes.`);
  const collect = async (source: Chunks): Promise<void> => {
    for await (const chunk of unpacked(source)) chunks.push(chunk);
  };
  if (Number(length) > maxBytes) {
    body.destroy();
    throw new PageError('too_large', `The page is larger than ${maxBytes} bytes.`);
  }
  const decoder = decoderOf(coding);
  if (decoder === null) await pipeline(body, onTheWire, collect);
  else await pipeline(body, onTheWire, decoder, collect);
  return Buffer.concat(chunks);
}

function bounded(maxBytes: number, message: string): (source: Chunks) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let length = 0;
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) throw new PageError('too_large', message);
      yield chunk;
    }
  };
}

function decoderOf(coding: string | null) {
  switch ((coding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new PageError('bad_response', 'The page is packed in a way that was not asked for.');
  }
}
