import type { Outcome, Usage } from '../domain/contracts/answer.ts';
import type { ReviewSummary } from '../domain/contracts/review.ts';
import type { RunProgress } from '../domain/contracts/run.ts';

/** Where a run is in Temporal. `url` is null where no Temporal UI is known. */
export interface RunRef {
  workflowId: string;
  runId: string;
  url: string | null;
}

/** What is known of a question at once. */
export interface Asked {
  id: string;
  question: string;
  /** Id of the question that this one is a fork of. */
  forkOf: string | null;
  run: RunRef;
}

export type EndedView = Outcome & Asked;

/**
 * `awaiting_review`: the run waits for a person. `progress: 'unavailable'`: no worker answered, so what the run has done so far is not known; it goes
 * on when one is back.
 */
export type RunningView = Asked & { status: 'running' | 'awaiting_review'; review: ReviewSummary | null } & (
    ({ progress: 'available' } & Omit<RunProgress, 'events'>) | { progress: 'unavailable' }
  );

/** `usage`: null where it is not known, as for a run that was terminated. */
export type FailedView = Asked & {
  status: 'failed';
  reason: { code: string; message: string };
  usage: Usage | null;
};
export type CancelledView = Asked & { status: 'cancelled' };

/** A question as `GET /v1/questions/{id}` returns it. */
export type QuestionView = EndedView | RunningView | FailedView | CancelledView;

/** What a list of runs can be filtered by. */
export const questionStatuses = [
  'running',
  'awaiting_review',
  'answered',
  'partially_answered',
  'needs_clarification',
  'abstained',
  'denied',
  'failed',
  'cancelled',
] as const;
export type QuestionStatus = (typeof questionStatuses)[number];

/** One line of a list of runs. */
export interface QuestionSummary {
  id: string;
  question: string;
  status: string;
  verdict: string | null;
  quality: string | null;
  reason: string | null;
  policy: string | null;
  user: string;
  forkOf: string | null;
  askedAt: string;
  endedAt: string | null;
  run: RunRef;
}
