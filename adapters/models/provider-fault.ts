import { types } from 'node:util';

/** What went wrong, in the words of no SDK. Texts of the provider stay in here: they may repeat what was sent. */
export type ProviderFault =
  /** An answer with an error status, or (`status` null) an error event inside of a stream. */
  | { kind: 'answer'; status: number | null; headers: Headers | null; types: string[]; message: string }
  /** No answer: the connection could not be made or was lost before one began. `code` as Node or undici name it. */
  | { kind: 'connection'; code: string | null }
  /** Our own limit. `silent`: between two pieces of an answer. */
  | { kind: 'timeout'; silent: boolean }
  /** An answer that began and broke off. */
  | { kind: 'broken' }
  /** An answer that does not follow the protocol. */
  | { kind: 'foreign' };

/** The code of a network failure, from wherever in the chain of causes it is; undefined where there is none. */
export function networkCode(error: unknown): string | undefined {
  for (let e = error, depth = 0; types.isNativeError(e) && depth < 8; e = e.cause, depth++) {
    if ('code' in e && typeof e.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(e.code)) return e.code;
  }
  return undefined;
}

/** A failure of reading an answer's body, which no SDK wraps: undici's `terminated`, or JSON that is none. */
export function bodyFault(error: unknown): ProviderFault | null {
  if (!types.isNativeError(error)) return null;
  if (error.name === 'SyntaxError') return { kind: 'foreign' };
  return error.name === 'TypeError' && networkCode(error) !== undefined ? { kind: 'broken' } : null;
}

/** Those of the values that are a provider's word for a kind of error. */
export function words(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
}
