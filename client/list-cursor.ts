import { createHash } from 'node:crypto';
import { PlumblineError } from './failures.ts';

const checkLength = 8;

/** Temporal's token of the next page in a form for addresses; null after the last page. */
export function cursorOf(token: Uint8Array): string | null {
  return token.length === 0 ? null : checkOf(token) + Buffer.from(token).toString('base64url');
}

/** The token in a cursor that `cursorOf` made. @throws PlumblineError `Question.WrongCursor`: to Temporal any other one is an outage */
export function tokenOf(cursor: string | undefined): Uint8Array {
  if (cursor === undefined) return new Uint8Array();
  const token = Buffer.from(cursor.slice(checkLength), 'base64url');
  if (token.length > 0 && checkOf(token) === cursor.slice(0, checkLength)) return token;
  throw new PlumblineError('Question.WrongCursor', 'send the cursor as "next" of the page before gave it, or none');
}

function checkOf(token: Uint8Array): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, checkLength);
}
