import { proxyActivities } from '@temporalio/workflow';
import type { LearningActivities } from '../activities/learning.ts';
import type { GroupQuestionsInput } from '../domain/contracts/gaps.ts';

const activities = proxyActivities<LearningActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s', maximumAttempts: 3 },
});

/** Groups questions by meaning where a worker has the embedding model. Somebody waits for it: it is given up after three tries. */
export async function groupQuestions(input: GroupQuestionsInput): Promise<number[][]> {
  return activities.groupQuestions(input);
}
