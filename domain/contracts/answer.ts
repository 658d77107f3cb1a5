import { z } from 'zod';
import { evidenceQualitySchema, gradeLabelSchema, originSchema, verdictSchema } from './evidence.ts';
import { tokenUsageSchema } from './models.ts';
import { reviewRecordSchema } from './review.ts';
import { stepNameSchema } from './step-name.ts';

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
  /** ISO time at which a page of the web was read or a reviewer's text taken in; null for the corpus. */
  readAt: z.string().nullable(),
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
  /** `reviewer`: a person vouches for it. */
  method: z.enum(['rules', 'entailment', 'model', 'reviewer']),
  statements: z.array(statementGroundingSchema),
});
export type Grounding = z.infer<typeof groundingSchema>;

/** One model call, as the provider counted it; a repeated attempt is a call of its own. */
export const usageCallSchema = tokenUsageSchema.extend({
  step: z.string(),
  /** `provider/model`. */
  model: z.string(),
  /** Name and version of the prompt: `grade@1.0.0`. */
  prompt: z.string(),
  /** Null where no price is known for the model. */
  costUsd: z.number().nonnegative().nullable(),
  ms: z.number().nonnegative(),
});
export type UsageCall = z.infer<typeof usageCallSchema>;
export const usageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  /** Sum of the calls whose price is known. */
  costUsd: z.number().nonnegative(),
  /** True when a call's tokens were counted here or a call's price is unknown: then the sums are not the bill. */
  estimated: z.boolean(),
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
  'cost_ceiling',
  'rejected',
  'review_expired',
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
  readAt: z.string().nullable(),
  score: z.number().nullable(),
  label: gradeLabelSchema,
  reason: z.string(),
  used: z.boolean(),
});
export type GradedEvidence = z.infer<typeof gradedEvidenceSchema>;

/** A step that failed for good and what the run did instead. */
export const degradationSchema = z.object({
  step: stepNameSchema,
  /** Dotted type of the failure: `Model.InsufficientQuota`. */
  reason: z.string(),
  instead: z.string(),
});
export type Degradation = z.infer<typeof degradationSchema>;

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
  /** Empty when every step worked. */
  degraded: z.array(degradationSchema),
  grounding: groundingSchema.nullable(),
  usage: usageSchema,
  timings: z.object({
    totalMs: z.number().nonnegative(),
    steps: z.array(z.object({ step: z.string(), ms: z.number().nonnegative() })),
  }),
  versions: z.object({ policy: z.string(), prompts: z.string(), models: z.record(z.string(), z.string()) }),
  /** Null when no person was asked. */
  review: reviewRecordSchema.nullable(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
