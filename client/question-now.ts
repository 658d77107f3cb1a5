import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import type { ReviewSummary } from '../domain/contracts/review.ts';
import type { RunProgress } from '../domain/contracts/run.ts';
import { progressQuery } from '../workflows/messages.ts';
import { PlumblineError } from './failures.ts';
import type { FoundQuestion } from './found-question.ts';
import { isWaiting, notedReview } from './noted-review.ts';
import { viewOfEnd } from './question-end.ts';
import type { QuestionView, RunRef } from './question-view.ts';
import { runEnd } from './run-end.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';

/** How long a run may take from its last event until the server knows that it has ended. */
const endingMs = 3000;

interface Reading {
  client: Client;
  refOf: (workflowId: string, runId: string) => RunRef;
  signal?: AbortSignal | undefined;
}

/** How a question stands: its outcome, or how far its run is. */
export async function questionNow({ client, refOf, signal }: Reading, found: FoundQuestion): Promise<QuestionView> {
  const { id, memo, description, handle, workflowId } = found;
  const { question, forkOf = null } = memo;
  const base = { id, question, forkOf, run: refOf(workflowId, description.runId) };
  if (description.status.name !== 'RUNNING')
    return viewOfEnd(base, await callTemporal(client, () => runEnd(handle), { signal }));
  const progress = await runProgress(client, found, signal);
  if (progress === null) {
    const review = notedReview(description.memo);
    return { ...base, status: runningStatus(review), review, progress: 'unavailable' };
  }
  const { events, ...soFar } = progress;
  const last = events.at(-1)?.type;
  if (last === 'run-end' || last === 'run-error') {
    // The run has said its last word, and its end is on the way to the server.
    const end = await endWithin(client, handle, { ms: endingMs, signal });
    if (end) return viewOfEnd(base, end);
  }
  return { ...base, status: runningStatus(soFar.review), progress: 'available', ...soFar };
}

/** What the run has done so far; null when no worker could answer. */
export async function runProgress(
  client: Client,
  { handle }: FoundQuestion,
  signal?: AbortSignal,
): Promise<RunProgress | null> {
  try {
    return await callTemporal(client, () => handle.query(progressQuery), { kind: 'query', signal });
  } catch (error) {
    // Temporal itself was reached a moment ago: what is missing is a worker that answers for this run.
    if (error instanceof PlumblineError || error instanceof QueryNotRegisteredError) return null;
    throw error;
  }
}

function runningStatus(review: ReviewSummary | null): 'running' | 'awaiting_review' {
  return isWaiting(review) ? 'awaiting_review' : 'running';
}
