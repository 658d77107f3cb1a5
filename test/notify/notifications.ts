import type { ReviewNotification } from '../../domain/contracts/notification.ts';
import { notificationId } from '../../domain/rules/notification-id.ts';

/** A secret as `openssl rand -base64 32` makes them. */
export const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

export function requested(over: Partial<ReviewNotification> = {}): ReviewNotification {
  const about = { questionId: 'q-1', round: 1, type: 'review.requested' as const };
  return {
    ...about,
    id: notificationId(about, { runId: '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d' }),
    at: '2026-11-30T10:00:00.000Z',
    tenant: 'test',
    reason: 'abstained',
    groups: ['staff'],
    deadline: '2026-12-02T10:00:00.000Z',
    decision: null,
    ...over,
  };
}
