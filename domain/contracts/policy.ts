import { z } from 'zod';
import { tierSchema } from './answer.ts';
import { fusionSchema } from './fusion.ts';
import { stepNameSchema } from './step-name.ts';
import { modelChoiceSchema } from './models.ts';
import { reviewPolicySchema } from './review-policy.ts';
import { webPolicySchema } from './web-policy.ts';

const unit = z.number().min(0).max(1);

/** Limits of one activity, in milliseconds; `attempts` × `startToCloseMs` bounds the work of a step. `heartbeatMs` null: no heartbeat. */
export const stepLimitsSchema = z.strictObject({
  startToCloseMs: z.number().int().positive(),
  heartbeatMs: z.number().int().positive().nullable(),
  attempts: z.number().int().min(1).max(20),
});
export type StepLimits = z.infer<typeof stepLimitsSchema>;

/** A policy is data: everything that decides how a run behaves. It enters the workflow as input, so that a replay decides the same. */
export const policySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  version: z.number().int().positive(),
  description: z.string(),
  retrieval: z.strictObject({
    /** Passages that are graded. */
    k: z.number().int().min(1).max(50),
    /** Passages taken from each leg before fusion. */
    candidates: z.number().int().min(1).max(500),
    fusion: fusionSchema,
    /** Word-shingle Jaccard similarity from which two passages count as one. */
    nearDuplicate: unit,
    statuses: z.array(z.enum(['active', 'superseded', 'draft'])).min(1),
  }),
  grading: z.strictObject({
    /** `cascade`: the local grader decides outside of the two thresholds, one model call judges what lies between. */
    method: z.enum(['local', 'model', 'cascade']),
    minCharacters: z.number().int().nonnegative(),
    /** Score from which a passage is `relevant`, and below which it is `irrelevant`. */
    relevant: unit,
    irrelevant: unit,
  }),
  verdict: z.strictObject({
    rule: z.enum(['any-above']),
    correct: unit,
    incorrect: unit,
  }),
  /** In this order. A review is no tier of a policy: `review` says when a person is asked. */
  tiers: z.array(tierSchema.exclude(['review'])),
  rewrite: z.strictObject({ minWords: z.number().int().positive(), maxWords: z.number().int().positive() }),
  decompose: z.strictObject({ maxTurns: z.number().int().min(1).max(10) }),
  web: webPolicySchema,
  review: reviewPolicySchema,
  refine: z.strictObject({
    contextTokens: z.number().int().positive(),
    /** Strips shorter than this (letters and digits) are dropped, except rows, items and scripts without spaces. */
    minCharacters: z.number().int().nonnegative(),
    /** Strips scoring below this do not reach the generator: of passages graded relevant, and of the others. */
    keep: unit,
    keepFromPartial: unit,
  }),
  generate: z.strictObject({
    maxStatements: z.number().int().min(1).max(20),
    /** What readers see before the grounding check: words as they come (`draft`), statements that the rules passed (`checked`), or nothing. */
    stream: z.enum(['draft', 'checked', 'off']),
  }),
  grounding: z.strictObject({
    revisions: z.number().int().min(0).max(3),
    /** Least probability, by a local entailment model, with which a statement follows from its quotes. */
    entailment: unit.default(0.5),
  }),
  /** A role played by a model: each is one provider's model, or `local`. */
  models: z.strictObject({
    analyse: modelChoiceSchema,
    grade: modelChoiceSchema,
    rewrite: modelChoiceSchema,
    refine: modelChoiceSchema,
    generate: modelChoiceSchema,
    check: modelChoiceSchema,
  }),
  /** From that cost on, in US dollars, a run begins no further paid step; null: no ceiling. */
  budget: z.strictObject({ maxCostUsd: z.number().positive().nullable() }),
  steps: z.record(stepNameSchema, stepLimitsSchema),
});
export type Policy = z.infer<typeof policySchema>;
