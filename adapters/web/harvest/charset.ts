const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
const notInEncoding = new Set(['ERR_ENCODING_INVALID_ENCODED_DATA', 'ERR_ENCODING_NOT_SUPPORTED']);

/** `charset` of a content type, as servers write it. */
export function charsetOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? null;
}

/**
 * A text page as UTF-8 with a byte order mark, which its reader believes before all else, where its encoding is certain: text outside of ASCII that is
 * valid UTF-8 is hardly ever anything else, whatever server and page say; next the server's word counts. Else the bytes as they are: then the page's
 * own meta element decides.
 */
export function inUtf8(bytes: Uint8Array, charset: string | null): Uint8Array {
  if (isMarked(bytes)) return bytes;
  if (bytes.some((byte) => byte > 127) && decoded(bytes, 'utf-8') !== null) return Buffer.concat([mark, bytes]);
  const text = charset === null ? null : decoded(bytes, charset);
  return text === null ? bytes : Buffer.concat([mark, Buffer.from(text)]);
}

function isMarked([first, second]: Uint8Array): boolean {
  return (
    (first === 0xef && second === 0xbb) || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  );
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (notInEncoding.has(String(Reflect.get(Object(error), 'code')))) return null;
    throw error;
  }
}
