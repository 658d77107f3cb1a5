import { proxyActivities } from '@temporalio/workflow';
import type { AnswerActivities } from '../activities/index.ts';
import type { ReviewNotification } from '../domain/contracts/notification.ts';

const { notifyReviewer } = proxyActivities<AnswerActivities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m', maximumAttempts: 200 },
});

/** Sends what a run that has ended could not send any more. A receiver may get it twice, with the same id. */
export async function deliverNotification(notification: ReviewNotification): Promise<void> {
  await notifyReviewer({ notification });
}
