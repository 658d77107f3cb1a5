import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { ReviewFile } from '../domain/contracts/run.ts';
import { reviewQuery } from '../workflows/messages.ts';
import { PlumblineError } from './failures.ts';
import type { QuestionRun } from './found-question.ts';
import { notedReview } from './noted-review.ts';
import type { FinalState } from './review-view.ts';
import { runEnd } from './run-end.ts';
import { callTemporal } from './temporal-calls.ts';

/**
 * What a run knows of its review: from the run itself, or from its outcome where it has ended and no worker answers. Null where no person was asked.
 * @throws PlumblineError `Temporal.Unavailable`, `Worker.Unavailable`
 */
export async function reviewFileOf(client: Client, { handle, description }: QuestionRun): Promise<ReviewFile | null> {
  try {
    return await callTemporal(client, () => handle.query(reviewQuery), { kind: 'query' });
  } catch (error) {
    if (!(error instanceof PlumblineError || error instanceof QueryNotRegisteredError)) throw error;
    const end = description.status.name === 'RUNNING' ? null : await callTemporal(client, () => runEnd(handle));
    if (end?.status === 'ended') return fileOfOutcome(end.result);
    throw new PlumblineError('Worker.Unavailable', 'no worker answers for this run', {
      retryAfterSeconds: 5,
      members: { review: notedReview(description.memo) },
      cause: error,
    });
  }
}

function fileOfOutcome(outcome: Outcome): ReviewFile | null {
  const { review, status, reason, limitation, quality, ledger, answer, statements, citations } = outcome;
  if (review === null) return null;
  return {
    ...review,
    status,
    message: reason?.message ?? null,
    limitation,
    missingAspects: quality.missingAspects,
    conflicts: quality.conflicts,
    ledger,
    draft: answer === null ? null : { answer, statements, citations },
    evidence: outcome.evidence.map((evidence) => ({
      ...evidence,
      snippet: '',
      quotes: citations
        .filter(({ evidenceId }) => evidenceId === evidence.id)
        .map(({ start, end }) => ({ start, end })),
    })),
  };
}

/** @param end null while the run goes on */
export function notAsked(end: FinalState | null): PlumblineError {
  const why =
    end === null
      ? 'the run does not wait for a person; look again when it does'
      : `no person was asked about this question; its run has ended: ${end.status}`;
  return new PlumblineError('Review.NotOpen', why);
}
