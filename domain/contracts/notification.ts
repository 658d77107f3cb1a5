import { z } from 'zod';
import { accessSchema } from './access.ts';
import { decisionKindSchema, reviewReasonSchema } from './review-policy.ts';

export const notificationTypeSchema = z.enum([
  'review.requested',
  'review.reminded',
  'review.escalated',
  'review.decided',
  'review.expired',
]);
export type NotificationType = z.infer<typeof notificationTypeSchema>;

/**
 * What is told to people outside of the run. It leaves the house, so it holds no text of a question, an answer or a document; other fields than these
 * are left out. Times are ISO 8601 in UTC.
 */
export const reviewNotificationSchema = z.object({
  /** The same for every attempt, so that receivers can tell a repetition; no full stop, which delimits what is signed. `notificationId` makes it. */
  id: z.string().regex(/^[\w:-]{1,200}$/, 'must be 1–200 of A–Z, a–z, 0–9, _, : and -'),
  type: notificationTypeSchema,
  /** When it happened, not when it is sent. */
  at: z.iso.datetime(),
  tenant: accessSchema.shape.tenant,
  questionId: z.string().min(1).max(200),
  round: z.number().int().positive(),
  reason: reviewReasonSchema,
  /** Who may decide; empty: every reviewer of the tenant. */
  groups: accessSchema.shape.groups,
  deadline: z.iso.datetime().nullable(),
  decision: z.object({ kind: decisionKindSchema, by: z.string().min(1).max(200) }).nullable(),
});
export type ReviewNotification = z.infer<typeof reviewNotificationSchema>;
