import type { Policy } from '../domain/contracts/policy.ts';
import { rewriteQuery, type RewriteInput } from '../domain/rules/rewrite.ts';
import { step } from './step.ts';

/** A search aimed at what is missing, or null when there is nothing new to search for. */
export const rewrite = step(
  async (input: RewriteInput & { limits: Policy['rewrite'] }): Promise<{ query: string | null }> => ({
    query: rewriteQuery(input, input.limits),
  }),
);
