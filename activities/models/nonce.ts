import { randomBytes } from 'node:crypto';

/** 64 random bits for the delimiters of one model call, as 16 hexadecimal digits. */
export function newNonce(): string {
  return randomBytes(8).toString('hex');
}
