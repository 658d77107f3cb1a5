import type { Client } from '@temporalio/client';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { answerQuestion } from '../workflows/answer-question.ts';
import type { AskedMemo } from './asker.ts';
import { endOrReview } from './end-or-review.ts';
import { fromTemporal } from './failures.ts';
import type { QuestionHandle } from './found-question.ts';
import { outcomeOf, viewOfEnd } from './question-end.ts';
import { questionNow } from './question-now.ts';
import type { QuestionView, RunRef } from './question-view.ts';
import { runEnd } from './run-end.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';

export interface AskedQuestion {
  id: string;
  question: string;
  forkOf: string | null;
  run: RunRef;
  /** True when the idempotency key led to a run that has ended already. */
  ended: boolean;
  /** Waits for the outcome, as long as it takes. Rejects with RunFailedError when the run failed or was cancelled. */
  result(): Promise<Outcome>;
  /** Waits for the end at most that long, and no longer than until the run waits for a person; null when the run still goes on then. */
  viewWithin(ms: number, signal?: AbortSignal): Promise<QuestionView | null>;
}

export interface StartedRun {
  id: string;
  memo: AskedMemo;
  workflowId: string;
  runId: string;
  ended: boolean;
  /** Whether its policy lets it wait for a person. */
  mayWait: boolean;
}

/** A question whose run was started, or found under its idempotency key. */
export function askedQuestion(
  { client, refOf }: { client: Client; refOf: (workflowId: string, runId: string) => RunRef },
  { id, memo, workflowId, runId, ended, mayWait }: StartedRun,
): AskedQuestion {
  const run = refOf(workflowId, runId);
  const handle: QuestionHandle = client.workflow.getHandle<typeof answerQuestion>(workflowId, runId);
  const base = { id, question: memo.question, forkOf: memo.forkOf ?? null, run };
  return {
    ...base,
    ended,
    result: async () => outcomeOf(await runEnd(handle).catch((error: unknown) => Promise.reject(fromTemporal(error)))),
    viewWithin: async (ms, signal) => {
      const end = await (mayWait ? endOrReview : endWithin)(client, handle, { ms, signal });
      if (end !== 'awaits') return end && viewOfEnd(base, end);
      const description = await callTemporal(client, () => handle.describe(), { signal });
      return questionNow({ client, refOf, signal }, { id, memo, workflowId, handle, description });
    },
  };
}
