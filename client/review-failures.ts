import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError, type Client } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { reviewSummarySchema, type ReviewSummary } from '../domain/contracts/review.ts';
import type { ReviewRefusalCode } from '../domain/review/refusals.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { PlumblineError } from './failures.ts';
import type { QuestionRun } from './found-question.ts';
import { isWaiting, notedReview } from './noted-review.ts';
import type { FinalState } from './review-view.ts';
import { statusOf } from './run-status.ts';
import { callTemporal, type CallOptions } from './temporal-calls.ts';

/** The codes that a run refuses with. Those that begin with a person's name get words before it. */
const refusals: Record<ReviewRefusalCode, string> = {
  'Review.Invalid': '',
  'Review.NotAllowed': '',
  'Review.NotOpen': '',
  'Review.Decided': 'too late: ',
  'Review.Changed': '',
  'Review.Claimed': 'it is claimed: ',
  'Review.Gone': 'too late: ',
  'Review.KeyReused': '',
};

export interface ReviewCall {
  client: Client;
  /** As it was found before the call. */
  run: QuestionRun;
  /** The round that the caller has seen; null where it does not matter. */
  round: number | null;
  kind: NonNullable<CallOptions['kind']>;
}

/**
 * Asks something of a run's review.
 * @throws PlumblineError `Review.*` with how the review stands in its members, `Temporal.Unavailable`, `Worker.Unavailable`
 */
export async function askReview<T>(asked: ReviewCall, call: () => Promise<T>): Promise<T> {
  try {
    return await callTemporal(asked.client, call, { kind: asked.kind });
  } catch (error) {
    throw await failureOf(error, asked);
  }
}

async function failureOf(error: unknown, asked: ReviewCall): Promise<unknown> {
  if (error instanceof WorkflowNotFoundError) return tooLate(asked);
  // Unmapped when the server gave the call up, as it does where the run's task keeps failing.
  const cause = error instanceof PlumblineError ? error.cause : error;
  if (cause instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
    return new PlumblineError(
      'Worker.Unavailable',
      'no worker answered in time, and what you sent may still be taken: repeat it with the same request id to learn what became of it',
      { retryAfterSeconds: 5, cause: error },
    );
  const refused = refusalOf(error);
  if (refused === null) return error;
  if (refused.code !== 'Review.Gone') return refused;
  const { client, run } = asked;
  const finalState = await finalStateOf(client, run);
  return new PlumblineError(refused.code, refused.message, { members: { ...refused.members, finalState } });
}

function refusalOf(error: unknown): PlumblineError | null {
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) return null;
  const { type, message, details } = error.cause;
  const code = (Object.keys(refusals) as ReviewRefusalCode[]).find((known) => known === type);
  if (code === undefined) return null;
  const review = reviewSummarySchema.nullable().safeParse(details?.[0]).data ?? null;
  return new PlumblineError(code, refusals[code] + message, { members: { review }, cause: error });
}

/** The run has ended. Where it still waited when it was found, somebody's decision came first and ended it. */
async function tooLate({ client, run, round }: ReviewCall): Promise<PlumblineError> {
  const { description } = run;
  const waited = description.status.name === 'RUNNING' && isWaiting(notedReview(description.memo));
  const now = await callTemporal(client, () => run.handle.describe());
  const review = notedReview(now.memo);
  const { decided = null } = review ?? {};
  if (waited && decided !== null && decided.round === round)
    return new PlumblineError('Review.Decided', `too late: ${decision(decided)}`, { members: { review } });
  return goneOf({ ...run, description: now });
}

async function finalStateOf(client: Client, run: QuestionRun): Promise<FinalState> {
  return stateOf({ ...run, description: await callTemporal(client, () => run.handle.describe()) });
}

/** For a run that has ended. */
function goneOf(run: QuestionRun): PlumblineError {
  const finalState = stateOf(run);
  const { decided, status } = finalState;
  const by = decided === null ? '' : `, after ${decision(decided)}`;
  const message = `the run has ended: ${status}${by}`;
  return new PlumblineError('Review.Gone', message, {
    members: { review: notedReview(run.description.memo), finalState },
  });
}

export function stateOf({ description }: QuestionRun): FinalState {
  const { status, typedSearchAttributes, memo, closeTime } = description;
  const review = notedReview(memo);
  return {
    status: statusOf(status.name, typedSearchAttributes.get(searchAttributes.status) ?? null),
    review: review?.state ?? null,
    decided: review?.decided ?? null,
    endedAt: closeTime?.toISOString() ?? null,
  };
}

function decision({ by, kind, at }: NonNullable<ReviewSummary['decided']>): string {
  return `${by} decided "${kind}" at ${at}`;
}
