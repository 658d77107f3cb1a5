import type { ReviewNotification } from '../../domain/contracts/notification.ts';

/** The shape that Standard Webhooks recommends: type, time of the event, and its data. */
export interface NotificationPayload {
  type: ReviewNotification['type'];
  timestamp: string;
  data: Omit<ReviewNotification, 'type' | 'at'> & { links?: { review: string } };
}

/** `publicUrl`: where people reach the API, without a slash at its end; null: no links. */
export function payloadOf({ type, at, ...data }: ReviewNotification, publicUrl: string | null): NotificationPayload {
  if (publicUrl === null) return { type, timestamp: at, data };
  const review = `${publicUrl}/v1/reviews/${encodeURIComponent(data.questionId)}`;
  return { type, timestamp: at, data: { ...data, links: { review } } };
}
