import { z } from 'zod';
import { verdictSchema, gradeLabelSchema } from './evidence.ts';
import { outcomeStatusSchema, tierSchema } from './answer.ts';
import { reviewReasonSchema } from './review-policy.ts';
import { stepNameSchema } from './step-name.ts';

/**
 * What a run tells while it goes. `seq` counts from 1 within a run, without gaps, so that a reader can resume after the last one it saw.
 * Exactly one terminal event ends every run: `run-end` or `run-error`.
 */
export const stepEventSchema = z.discriminatedUnion('type', [
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('step-start'),
    step: stepNameSchema,
    note: z.string().nullable(),
  }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('step-end'),
    step: stepNameSchema,
    ms: z.number(),
    note: z.string(),
  }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('grade-end'),
    verdict: verdictSchema,
    quality: z.string(),
    grades: z.array(
      z.object({ evidenceId: z.string(), title: z.string(), score: z.number().nullable(), label: gradeLabelSchema }),
    ),
  }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('tier-start'),
    tier: tierSchema,
    query: z.string(),
  }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('review-request'),
    round: z.number().int(),
    reason: reviewReasonSchema,
    deadline: z.string(),
  }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('review-decision'),
    round: z.number().int(),
    /** Kind of the decision; `expired` when nobody decided in time. */
    decision: z.string(),
    by: z.string().nullable(),
  }),
  z.object({ seq: z.number().int(), at: z.string(), type: z.literal('run-end'), status: outcomeStatusSchema }),
  z.object({
    seq: z.number().int(),
    at: z.string(),
    type: z.literal('run-error'),
    reason: z.string(),
    message: z.string(),
  }),
]);
export type StepEvent = z.infer<typeof stepEventSchema>;

type WithoutStamp<E> = E extends StepEvent ? Omit<E, 'seq' | 'at'> : never;
export type StepEventBody = WithoutStamp<StepEvent>;

/**
 * The answer as it is written, live only: no `seq`, never in the run's own record, and not yet checked. `text-reset` takes back all that came
 * since `text-start`: the attempt is repeated, or a statement was refused. What holds is the outcome after `run-end`. `offset` is how much of the
 * text came before a piece, and `length` how much there is at the end (UTF-16 code units), so that a lost piece is noticed.
 */
export const textEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-start'), at: z.string(), textId: z.string() }),
  z.object({
    type: z.literal('text-delta'),
    at: z.string(),
    textId: z.string(),
    offset: z.number().int().nonnegative(),
    text: z.string(),
  }),
  z.object({ type: z.literal('text-reset'), at: z.string(), reason: z.string() }),
  z.object({ type: z.literal('text-end'), at: z.string(), textId: z.string(), length: z.number().int().nonnegative() }),
]);
export type TextEvent = z.infer<typeof textEventSchema>;

/** What the events port carries. */
export const liveEventSchema = z.union([stepEventSchema, textEventSchema]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
