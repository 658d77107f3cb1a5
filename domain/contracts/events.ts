import { z } from 'zod';
import { verdictSchema, gradeLabelSchema } from './evidence.ts';
import { outcomeStatusSchema, tierSchema } from './answer.ts';

export const stepNameSchema = z.enum([
  'analyse',
  'retrieve',
  'grade',
  'rewrite',
  'decompose',
  'refine',
  'generate',
  'check-grounding',
]);
export type StepName = z.infer<typeof stepNameSchema>;

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
