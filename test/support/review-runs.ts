import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowUpdateFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { AnswerActivities } from '../../activities/index.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { DecideReview, DecisionResult, ReviewDecision } from '../../domain/contracts/review.ts';
import type { ReviewPolicy } from '../../domain/contracts/review-policy.ts';
import type { answerQuestion } from '../../workflows/answer-question.ts';
import { decideReviewUpdate, reviewQuery, webQueueOf } from '../../workflows/messages.ts';
import { defaultPolicy, questionWorker, startQuestion } from './question-runs.ts';
import { scriptedSteps, type Script } from './scripted-steps.ts';

type Handle = WorkflowHandle<typeof answerQuestion>;

/** Finds nothing that speaks to the question. */
export const hopeless: Script = { search: () => [{ id: 'p1', score: 0.1 }] };
/** One statement of three does not stand in its source. */
export const half: Script = {
  search: () => [
    { id: 'p1', score: 0.9 },
    { id: 'p2', score: 0.8 },
    { id: 'p3', score: 0.8 },
  ],
  grounded: (_, index) => index > 0,
};

export interface ReviewedRun {
  script: Script;
  question?: string;
  review?: Partial<ReviewPolicy>;
  policy?: Partial<Policy>;
  override?: Partial<AnswerActivities>;
}

/** A run with workers of its own that waits for a person, while `story` goes on. */
export async function reviewedRun(
  env: TestWorkflowEnvironment,
  { script, question, review: rules, policy: own, override }: ReviewedRun,
  story: (handle: Handle, told: ReturnType<typeof scriptedSteps>) => Promise<void>,
): Promise<void> {
  const taskQueue = `r-${randomUUID()}`;
  const steps = scriptedSteps(script);
  const connection = env.nativeConnection;
  const { searchWeb, ...activities } = { ...steps.activities, ...override };
  const { worker } = await questionWorker({ connection, taskQueue, activities });
  const web = await Worker.create({ connection, taskQueue: webQueueOf(taskQueue), activities: { searchWeb } });
  await web.runUntil(
    worker.runUntil(async () =>
      story(
        await startQuestion(env.client, {
          taskQueue,
          policy: reviewedPolicy(rules, own),
          ...(question === undefined ? {} : { question }),
        }),
        steps,
      ),
    ),
  );
}

export function reviewedPolicy(rules: Partial<ReviewPolicy> = {}, own: Partial<Policy> = {}): Policy {
  const review: ReviewPolicy = {
    ...defaultPolicy.review,
    on: ['abstained', 'partially_answered'],
    deadlineMinutes: 60,
    remindAfterMinutes: [],
    ...rules,
  };
  return { ...defaultPolicy, ...own, review };
}

/** Resolves when the run waits for a person in that round. */
export async function waits(handle: Handle, round = 1): Promise<void> {
  for (;;) {
    const review = await handle.query(reviewQuery);
    if (review?.round === round && review.state !== 'continuing') return;
    await pause(20);
  }
}

export const ann = { user: 'ann', groups: ['staff'], roles: ['reviewer' as const] };
export const ben = { ...ann, user: 'ben' };

export function request(decision: ReviewDecision, own: Partial<DecideReview> = {}): DecideReview {
  return { requestId: randomUUID(), fingerprint: '', actor: ann, round: 1, decision, comment: null, ...own };
}

export function decide(
  handle: Handle,
  decision: ReviewDecision,
  own: Partial<DecideReview> = {},
): Promise<DecisionResult> {
  return handle.executeUpdate(decideReviewUpdate, { args: [request(decision, own)] });
}

/** Type and message of what an update was refused with. */
export async function refusal(update: Promise<unknown>): Promise<string> {
  try {
    await update;
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure)
      return `${error.cause.type}: ${error.cause.message}`;
    throw error;
  }
  return 'accepted';
}
