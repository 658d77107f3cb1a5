import type { ReviewNotification } from '../contracts/notification.ts';

/**
 * The id of a notification: the same for every attempt and after a replay; another one after a reset, whose review is a new one. `nth`: among those
 * of its type in the round, from 1.
 */
export function notificationId(
  { questionId, round, type }: Pick<ReviewNotification, 'questionId' | 'round' | 'type'>,
  { runId, nth = 1 }: { runId: string; nth?: number },
): string {
  return `${type.replaceAll('.', '-')}:${questionId}:${runId.slice(0, 8)}:${round}:${nth}`;
}
