import { z } from 'zod';
import { evidenceQualitySchema, gradeLabelSchema, originSchema, verdictSchema } from './evidence.ts';

/** `quote` is exactly the text at `start`–`end` (UTF-16 code units) of the document's normalised text. */
export const citationSchema = z.object({
  n: z.number().int().positive(),
  evidenceId: z.string(),
  origin: originSchema,
  documentId: z.string(),
  title: z.string(),
  uri: z.string(),
  section: z.string(),
  page: z.number().int().positive().nullable(),
  quote: z.string().min(1),
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
});
export type Citation = z.infer<typeof citationSchema>;

export const statementSchema = z.object({
  text: z.string().min(1),
  citations: z.array(z.number().int().positive()).min(1),
});
export type Statement = z.infer<typeof statementSchema>;

export const tierSchema = z.enum(['rewrite', 'decompose', 'web', 'review']);
export type Tier = z.infer<typeof tierSchema>;

/** One correction that was tried: what was searched, what it found that was new, and the verdict after it. */
export const ledgerEntrySchema = z.object({
  tier: tierSchema,
  query: z.string(),
  found: z.number().int().nonnegative(),
  verdict: verdictSchema,
  ms: z.number().nonnegative(),
  note: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const statementGroundingSchema = z.object({ supported: z.boolean(), reason: z.string() });
export const groundingSchema = z.object({
  status: z.enum(['pass', 'needs_revision', 'fail']),
  method: z.enum(['rules', 'entailment', 'model']),
  statements: z.array(statementGroundingSchema),
});
export type Grounding = z.infer<typeof groundingSchema>;

/** One paid or local model call, as the provider counted it. */
export const usageCallSchema = z.object({
  step: z.string(),
  model: z.string(),
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type UsageCall = z.infer<typeof usageCallSchema>;
export const usageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
  calls: z.array(usageCallSchema),
});
export type Usage = z.infer<typeof usageSchema>;

/** Why a run ended without a full answer. */
export const reasonCodeSchema = z.enum([
  'no_evidence',
  'empty_corpus',
  'insufficient_evidence',
  'not_grounded',
  'unclear_question',
  'no_question',
  'conflicting_sources',
  'missing_aspects',
]);
export const reasonSchema = z.object({ code: reasonCodeSchema, message: z.string() });
export type Reason = z.infer<typeof reasonSchema>;

export const outcomeStatusSchema = z.enum([
  'answered',
  'partially_answered',
  'needs_clarification',
  'abstained',
  'denied',
]);
export type OutcomeStatus = z.infer<typeof outcomeStatusSchema>;

export const gradedEvidenceSchema = z.object({
  id: z.string(),
  origin: originSchema,
  documentId: z.string(),
  title: z.string(),
  uri: z.string(),
  section: z.string(),
  score: z.number().nullable(),
  label: gradeLabelSchema,
  reason: z.string(),
  used: z.boolean(),
});
export type GradedEvidence = z.infer<typeof gradedEvidenceSchema>;

/** What a run returns; `GET /v1/questions/{id}` adds `id` and `run`. */
export const outcomeSchema = z.object({
  question: z.string(),
  status: outcomeStatusSchema,
  answer: z.string().nullable(),
  statements: z.array(statementSchema),
  citations: z.array(citationSchema),
  verdict: verdictSchema.nullable(),
  quality: evidenceQualitySchema,
  reason: reasonSchema.nullable(),
  limitation: z.string().nullable(),
  evidence: z.array(gradedEvidenceSchema),
  ledger: z.array(ledgerEntrySchema),
  grounding: groundingSchema.nullable(),
  usage: usageSchema,
  timings: z.object({
    totalMs: z.number().nonnegative(),
    steps: z.array(z.object({ step: z.string(), ms: z.number().nonnegative() })),
  }),
  versions: z.object({ policy: z.string(), prompts: z.string(), models: z.record(z.string(), z.string()) }),
  review: z.null(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
