import { z } from 'zod';
import { domainRulesSchema, privatePatternSchema } from '../web/schema.ts';

/** Whether anything may leave the house. `ask`: a person is asked first. The stricter of policy and tenant holds. */
export const webModeSchema = z.enum(['never', 'ask', 'allowed']);
export type WebMode = z.infer<typeof webModeSchema>;

/** What must not leave in a query: expressions for ids, and names. */
export const privateTermsSchema = z.strictObject({
  patterns: z.array(privatePatternSchema),
  names: z.array(z.string().min(2).max(200)),
});

/** How a run looks outside of the corpus. */
export const webPolicySchema = z.strictObject({
  mode: webModeSchema,
  maxResults: z.number().int().min(1).max(20),
  domains: domainRulesSchema,
  private: privateTermsSchema,
  /** A page is fetched where the search shows fewer characters of it; 0: never. */
  fetchBelow: z.number().int().nonnegative(),
  /** Whether pages that hold no text until their scripts have run are read by a browser, where a browser worker runs. */
  browser: z.boolean(),
  /** Whether robots.txt is obeyed when pages are fetched. */
  robots: z.boolean(),
  /** How passages of the web are graded: as `grading.method` of the policy. */
  grading: z.enum(['local', 'model', 'cascade']),
  /** Score from which a passage of the web is `relevant`, and below which it is `irrelevant`. */
  relevant: z.number().min(0).max(1),
  irrelevant: z.number().min(0).max(1),
  /** What the web weighs in a conflict, 0–100, where documents have their own authority. */
  authority: z.number().min(0).max(100),
  /** How long what was read is kept. */
  keepHours: z.number().positive(),
  /** How long the results of a search are used again for the same query of the same tenant; 0: not at all. */
  cacheMinutes: z.number().nonnegative(),
  /** Whether the search begins as soon as the evidence is ambiguous, beside the rewritten search of the corpus, not after it (docs/decisions/0012). */
  ahead: z.boolean(),
});
export type WebPolicy = z.infer<typeof webPolicySchema>;

/** What a tenant allows, whatever policy a question is asked under. */
export const tenantWebRulesSchema = z.strictObject({
  mode: webModeSchema.default('allowed'),
  domains: domainRulesSchema.default({ allowed: [], blocked: [] }),
  private: privateTermsSchema.default({ patterns: [], names: [] }),
});
export type TenantWebRules = z.infer<typeof tenantWebRulesSchema>;
