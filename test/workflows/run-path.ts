import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { answerQuestion } from '../../workflows/answer-question.ts';
import { claimReviewUpdate, decideReviewSignal } from '../../workflows/messages.ts';
import { ann, ben, decide, request, reviewedRun, waits } from '../support/review-runs.ts';
import type { Path } from './paths.ts';

type Handle = WorkflowHandle<typeof answerQuestion>;

/** Runs a path on a server, with its decisions; `then` gets its end while its workers are still there. */
export async function runPath(
  env: TestWorkflowEnvironment,
  { script, question, override, policy, review, decisions = [] }: Path,
  then: (handle: Handle, end: string) => Promise<void>,
): Promise<void> {
  const rules = review ?? { on: [] };
  const own = { script, review: rules, ...(policy ? { policy } : {}), ...(override ? { override } : {}) };
  await reviewedRun(env, { ...own, ...(question === undefined ? {} : { question }) }, async (handle) => {
    let round = 1;
    for (const decision of decisions) {
      await act(handle, decision, round);
      if (typeof decision === 'object' && 'kind' in decision && !rules.fourEyes?.length) round++;
    }
    const end = await handle.result().then(
      ({ status }) => status,
      () => 'failed',
    );
    await then(handle, end);
  });
}

async function act(handle: Handle, decision: NonNullable<Path['decisions']>[number], round: number): Promise<void> {
  if (typeof decision === 'object' && 'early' in decision)
    return handle.signal(decideReviewSignal, request(decision.early));
  await waits(handle, round);
  if (decision === 'cancel') return void (await handle.cancel());
  if (decision === 'claim')
    return void (await handle.executeUpdate(claimReviewUpdate, { args: [{ actor: ann, round, how: 'claim' }] }));
  if ('second' in decision) return void (await decide(handle, decision.second, { actor: ben, round }));
  await decide(handle, decision, { round });
}
