import { proxyActivities, upsertMemo } from '@temporalio/workflow';
import type { LearningActivities } from '../activities/learning.ts';
import type { WithdrawalResult, WithdrawReviewInput } from '../domain/contracts/publication.ts';

const { withdrawReviewed } = proxyActivities<LearningActivities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 8 },
});

/** Takes a reviewed document out of the corpus. Has the workflow id of its publication, so that the newest run tells how it stands. */
export async function withdrawReview(input: WithdrawReviewInput): Promise<WithdrawalResult> {
  const withdrawn = await withdrawReviewed(input);
  const result = { withdrawn, at: new Date(Date.now()).toISOString() };
  upsertMemo({ result });
  return result;
}
