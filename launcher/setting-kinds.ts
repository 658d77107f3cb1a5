import { resolve } from 'node:path';
import { z } from 'zod';

/** What a variable may hold. None of the messages repeats the value: it may be a secret. */
export const text = z.string().optional();

const http = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
export const webAddress = http.optional();

/** Of a service that is called with `fetch`, which takes no credentials in an address. */
export const apiAddress = http
  .refine(
    (url) => !URL.canParse(url) || new URL(url).username === '',
    'must hold no user and password; give the key apart',
  )
  .optional();

export const key = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be a key: visible ASCII characters without spaces')
  .optional();

export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')
  .optional();

/** Relative paths are taken from the working folder. */
export function pathOf(value: string | undefined): string | null {
  return value === undefined ? null : resolve(value);
}
