import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  ClaimReview,
  CommentReview,
  DecideReview,
  DecisionResult,
  ReviewSummary,
} from '../domain/contracts/review.ts';
import type { ReviewFile, RunProgress } from '../domain/contracts/run.ts';

/** The queue of all steps that use this house's own index and models. */
export const defaultTaskQueue = 'plumbline';

/** The queue of the web searches of runs on a queue: they have one of their own, so that it can be given a rate. */
export function webQueueOf(taskQueue: string): string {
  return `${taskQueue}-web`;
}

/** The queue of pages that a browser is to read, for workers that have one. */
export function browserQueueOf(taskQueue: string): string {
  return `${taskQueue}-browser`;
}

/** What the run has done so far: step, evidence, ledger and all events since its start. Answers after the run has ended, too. */
export const progressQuery = defineQuery<RunProgress>('progress');

/** All that a reviewer needs; null while no person has been asked. Answers after the run has ended, too. */
export const reviewQuery = defineQuery<ReviewFile | null>('review');

/**
 * A person's decision on the review that the run waits for; exactly one a round wins. Refused with a dotted type (`ReviewRefusalCode`) and, in the
 * details, how the review stands.
 */
export const decideReviewUpdate = defineUpdate<DecisionResult, [DecideReview]>('decideReview');

/** The same for a caller that cannot wait for the answer. One that comes before its round opens is kept; why another was refused stands in the trail. */
export const decideReviewSignal = defineSignal<[DecideReview]>('decideReview');

/** Says who is working on the review, to spare others the work; it keeps nobody from deciding. */
export const claimReviewUpdate = defineUpdate<ReviewSummary, [ClaimReview]>('claimReview');

/** Adds a line to the review's trail. */
export const commentReviewUpdate = defineUpdate<ReviewSummary, [CommentReview]>('commentReview');
