import { z } from 'zod';
import { reviewStateSchema } from './review.ts';

export const auditActionSchema = z.enum([
  'decide',
  'decideLater',
  'claim',
  'takeOver',
  'release',
  'comment',
  'publish',
  'withdraw',
  'resume',
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

/** One attempt to act on a review, as it came in, whatever became of it. Kinds and reasons only: no text of an answer or of evidence. */
export const auditEntrySchema = z.object({
  /** When it was answered, by the clock of the API. */
  at: z.iso.datetime(),
  tenant: z.string(),
  questionId: z.string(),
  actor: z.string(),
  action: auditActionSchema,
  /** Kind of the decision, where it is one. */
  decision: z.string().nullable(),
  round: z.number().int().nullable(),
  requestId: z.string().nullable(),
  /** `accepted`, or the dotted type of the refusal or failure. */
  result: z.string(),
  /** How the review stood before and after; null where no person had been asked. */
  from: reviewStateSchema.nullable(),
  to: reviewStateSchema.nullable(),
  /** Why it was refused, or the reason given with it. */
  note: z.string().max(500).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
