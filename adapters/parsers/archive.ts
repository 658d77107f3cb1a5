import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ParseError, type ParseLimits } from './port.ts';

/**
 * A zip in memory. Entries are unpacked when asked for, and what they truly unpack to is counted against `maxUnpackedBytes` over the
 * whole archive: the sizes that the zip declares are never believed.
 */
export class Archive {
  private readonly zip: ZipFile;
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly unpacked = new Map<string, Uint8Array>();
  private readonly limits: ParseLimits;
  private unpackedBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: ParseLimits) {
    this.zip = zip;
    this.entries = entries;
    this.limits = limits;
  }

  /** Throws `Document.Corrupt` and `Document.TooManyEntries`. */
  static async open(bytes: Uint8Array, limits: ParseLimits): Promise<Archive> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const entries = new Map<string, Entry>();
    let count = 0;
    try {
      const zip = await fromBufferPromise(buffer, { validateEntrySizes: false });
      if (zip.entryCount > limits.maxEntries) throw tooManyEntries(limits);
      for await (const entry of zip.eachEntry()) {
        count += 1;
        if (count > limits.maxEntries) throw tooManyEntries(limits);
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      }
      return new Archive(zip, entries, limits);
    } catch (cause) {
      if (cause instanceof ParseError) throw cause;
      throw new ParseError('Document.Corrupt', 'The zip archive that the document is made of is damaged.', { cause });
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  /** An entry's bytes, or null if there is none of that name. Throws `Document.TooLargeUnpacked`, `Document.Encrypted`, `Document.Corrupt`. */
  async read(name: string): Promise<Uint8Array | null> {
    const known = this.unpacked.get(name);
    const entry = this.entries.get(name);
    if (known !== undefined || entry === undefined) return known ?? null;
    if (entry.isEncrypted()) throw new ParseError('Document.Encrypted', 'The archive is protected by a password.');
    const bytes = inflate(
      await rawBytes(this.zip, entry),
      entry.compressionMethod,
      this.limits.maxUnpackedBytes - this.unpackedBytes,
    );
    if (bytes === null) {
      throw new ParseError(
        'Document.TooLargeUnpacked',
        `The document unpacks to more than ${this.limits.maxUnpackedBytes} bytes.`,
      );
    }
    if (crc32(bytes) !== entry.crc32)
      throw new ParseError('Document.Corrupt', 'A part of the document is damaged: its checksum is wrong.');
    this.unpackedBytes += bytes.length;
    this.unpacked.set(name, bytes);
    return bytes;
  }
}

/** Null when there is more than `maxBytes`. */
function inflate(raw: Uint8Array, method: number, maxBytes: number): Uint8Array | null {
  if (method !== 0 && method !== 8) {
    throw new ParseError('Document.Corrupt', `The archive uses compression method ${method}, which is not supported.`);
  }
  if (method === 0) return raw.length > maxBytes ? null : raw;
  if (maxBytes < 1) return null;
  try {
    return inflateRawSync(raw, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (Reflect.get(Object(cause), 'code') === 'ERR_BUFFER_TOO_LARGE') return null;
    throw new ParseError('Document.Corrupt', 'A part of the document could not be unpacked: the archive is damaged.', {
      cause,
    });
  }
}

/** The entry's bytes as they stand in the zip: never more than the file itself. */
async function rawBytes(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry, { decodeFileData: false }))
      chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  } catch (cause) {
    throw new ParseError('Document.Corrupt', 'A part of the document lies outside of the archive: it is damaged.', {
      cause,
    });
  }
}

function tooManyEntries(limits: ParseLimits): ParseError {
  return new ParseError(
    'Document.TooManyEntries',
    `The document is an archive of more than ${limits.maxEntries} entries.`,
  );
}
