import type { DocumentFormat } from '../../domain/contracts/parsed-document.ts';
import { ParseError } from './port.ts';

export interface DecodeOptions {
  format: DocumentFormat;
  /** Encoding that the document names itself (a meta element, a MIME header). */
  declared: string | null;
}

const controls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffe\uffff]/;
const unassigned = /[\p{Cn}\p{Co}\p{Cs}]/u;

const notInEncoding = new Set(['ERR_ENCODING_INVALID_ENCODED_DATA', 'ERR_ENCODING_NOT_SUPPORTED']);

/**
 * Text of the bytes: by byte order mark, the declared encoding, UTF-8, UTF-16 without a mark, and windows-1252 where that is
 * plausible. Throws `Document.Undecodable` rather than guess.
 */
export function decodeText(bytes: Uint8Array, { format, declared }: DecodeOptions): string {
  const text =
    byMark(bytes) ??
    (declared === null || /^utf-?16/i.test(declared) ? null : strict(bytes, declared)) ??
    strict(bytes, 'utf-8') ??
    utf16WithoutMark(bytes) ??
    windows1252(bytes);
  if (text === null) {
    throw new ParseError(
      'Document.Undecodable',
      'The text is in no encoding that could be recognised with certainty. Save it as UTF-8.',
      { format },
    );
  }
  return text;
}

/** True when the bytes are text in some encoding that `decodeText` reads. */
export function isText(bytes: Uint8Array): boolean {
  return (byMark(bytes) ?? strict(bytes, 'utf-8') ?? utf16WithoutMark(bytes) ?? windows1252(bytes)) !== null;
}

/** True when the bytes hold what no text holds, in any encoding: so not a badly encoded text but another kind of file. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 65_536);
  const odd = sample.reduce(
    (sum, byte) => sum + Number(byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127),
    0,
  );
  return sample.includes(0) || odd > sample.length / 200;
}

function strict(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return controls.test(text) ? null : text;
  } catch (error) {
    if (notInEncoding.has(String(Reflect.get(Object(error), 'code')))) return null;
    throw error;
  }
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return strict(bytes, 'utf-8');
  if (a === 0xff && b === 0xfe) return strict(bytes, 'utf-16le');
  if (a === 0xfe && b === 0xff) return strict(bytes, 'utf-16be');
  return null;
}

/** UTF-16 shows in its spaces and line ends: read the wrong way round they are other characters, in another encoding they hold a zero byte. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  if (bytes.length < 4 || bytes.length % 2 !== 0 || !bytes.includes(0)) return null;
  const readings = ['utf-16le', 'utf-16be']
    .map((encoding) => strict(bytes, encoding))
    .filter((text) => text !== null)
    .filter((text) => !unassigned.test(text))
    .map((text) => ({
      text,
      common: (text.match(/[ \n\r.,、。]/g) ?? []).length,
      latin: (text.match(/[\x20-\x7e]/g) ?? []).length,
    }))
    .sort((x, y) => y.common - x.common || y.latin - x.latin);
  const [best, other] = readings;
  if (best === undefined || best.common + best.latin === 0) return null;
  const undecided = other !== undefined && other.common === best.common && other.latin === best.latin;
  return undecided ? null : best.text;
}

/**
 * Western European text of one byte a letter. Plausible when the high bytes are few, stand alone or in twos and threes, and are
 * letters or typographic marks; long runs of them are Cyrillic, Greek or an Asian encoding, and valid UTF-8 pairs are damaged UTF-8.
 */
function windows1252(bytes: Uint8Array): string | null {
  const text = strict(bytes, 'windows-1252');
  if (text === null || /[\u0081\u008d\u008f\u0090\u009d\u007f]/.test(text)) return null;
  const high = (text.match(/[^\u0000-\u007f]/g) ?? []).length;
  const likely = (text.match(/[À-ÖØ-öø-ÿŒœŠšŸŽž€‘’“”‚„–—…•«»°§©®™£²³µ·½¼¾ªº¡¿\u00a0]/g) ?? []).length;
  const longRuns = (text.match(/[À-ÿ]{4,}/g) ?? []).length;
  const damagedUtf8 = (text.match(/[Â-ß][\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[à-ï][\u0080-¿€‚-”•–—˜™š›œžŸ]{2}/g) ?? [])
    .length;
  const plausible = high <= 0.3 * text.length && likely >= 0.9 * high && longRuns === 0 && damagedUtf8 * 4 <= high;
  return plausible ? text : null;
}
