import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import type { ReviewSummary } from '../domain/contracts/review.ts';
import { questionIdOf, questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { readableMemo } from './asker.ts';
import { notedReview, waitingStates, type WaitingState } from './noted-review.ts';
import type { RunRef } from './question-view.ts';
import type { ReviewFilter, ReviewLine, ReviewPage } from './review-view.ts';
import { callTemporal } from './temporal-calls.ts';

/**
 * The runs that wait for a person whom this reviewer can be, the latest asked first. Temporal's visibility store alone says which: nothing else is
 * written or asked, and no run is woken. It lags behind by up to a second or so.
 */
export async function listReviews(
  client: Client,
  {
    access,
    filter,
    refOf,
  }: { access: Access; filter: ReviewFilter; refOf: (workflowId: string, runId: string) => RunRef },
): Promise<ReviewPage> {
  const query = termsOf(access, filter).join(' AND ');
  const runs = client.workflow.list({ query, pageSize: filter.limit })[Symbol.asyncIterator]();
  const reviews: ReviewLine[] = [];
  for (;;) {
    // Each page is a call of its own with its own deadline.
    const next = await callTemporal(client, () => runs.next());
    if (next.done) return { reviews, next: null };
    const run = next.value;
    const line = lineOf(access, run);
    if (line === null) continue;
    reviews.push({ ...line, run: refOf(run.workflowId, run.runId) });
    if (reviews.length === filter.limit) return { reviews, next: startOf(run) };
  }
}

/** Tenant names, states and reasons are checked words and `before` is a checked time, so they need no escaping. */
function termsOf({ tenant }: Access, { state, reason, before }: ReviewFilter): string[] {
  const states = state === undefined ? waitingStates : [state];
  return [
    `WorkflowType = 'answerQuestion'`,
    `ExecutionStatus = 'Running'`,
    `${searchAttributes.tenant.name} = '${tenant}'`,
    `${searchAttributes.reviewState.name} IN (${states.map((one) => `'${one}'`).join(', ')})`,
    ...(reason === undefined ? [] : [`${searchAttributes.reviewReason.name} = '${reason}'`]),
    ...(before === undefined ? [] : [`StartTime < '${before}'`]),
  ];
}

/** Null for a run that is not this reviewer's to decide. */
function lineOf(access: Access, run: WorkflowExecutionInfo): Omit<ReviewLine, 'run'> | null {
  const memo = readableMemo(access, run.memo);
  const review = notedReview(run.memo);
  const inTenant = run.workflowId.startsWith(questionWorkflowId(access.tenant, ''));
  if (memo === null || review === null || !inTenant || !mayDecide(access, review)) return null;
  const { round, reason, claimedBy, proposed, openedAt, deadline } = review;
  const { question, user } = memo;
  const state = run.typedSearchAttributes.get(searchAttributes.reviewState) as WaitingState;
  const askedAt = run.startTime.toISOString();
  const id = questionIdOf(access.tenant, run.workflowId);
  return { id, question, user, round, reason, state, claimedBy, proposed, openedAt, deadline, askedAt };
}

function mayDecide({ groups }: Access, review: ReviewSummary): boolean {
  return review.groups.length === 0 || review.groups.some((group) => groups.includes(group));
}

/** To the nanosecond, since many runs may start within a millisecond. */
function startOf({ startTime, raw }: WorkflowExecutionInfo): string {
  const nanos = String(raw.startTime?.nanos ?? 0).padStart(9, '0');
  return `${startTime.toISOString().slice(0, 19)}.${nanos}Z`;
}
