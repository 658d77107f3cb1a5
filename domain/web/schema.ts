import { z } from 'zod';
import type { DomainRules } from './url-rules.ts';

const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`;
const domainName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${label}(?:\\.${label})*$`, 'u'), 'is not a domain such as example.com');

export const domainRulesSchema: z.ZodType<DomainRules> = z.strictObject({
  allowed: z.array(domainName),
  blocked: z.array(domainName),
});

/** An expression of JavaScript (flags g, i, u) for the ids of a tenant: customers, claims, machines. */
export const privatePatternSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((source) => compiles(source), 'is not a regular expression')
  .refine((source) => !compiles(source) || !new RegExp(source, 'iu').test(''), 'matches the empty text');

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'giu').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
