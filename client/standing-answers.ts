import type { Client } from '@temporalio/client';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { AnsweredRun, EndedPublication } from '../domain/contracts/gaps.ts';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import { restsOn } from '../domain/rules/rests-on.ts';
import { questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { runEnd } from './run-end.ts';
import { callTemporal } from './temporal-calls.ts';

/** Answers whose sources are read, the newest; older ones do not count: better a gap listed too long than one hidden. */
const mostRead = 100;

/**
 * The answers that do not rest on a reviewed document that answers no more. Only those asked before such a one ended are read.
 * @throws PlumblineError `Temporal.Unavailable`
 */
export async function standingAnswers(
  client: Client,
  { tenant, answered, ended }: { tenant: string; answered: readonly AnsweredRun[]; ended: readonly EndedPublication[] },
): Promise<AnsweredRun[]> {
  const lastEnd = ended.reduce((last, { at }) => (at > last ? at : last), '');
  const { sure = [], doubtful = [] } = Object.groupBy(answered, ({ askedAt }) =>
    askedAt > lastEnd ? 'sure' : 'doubtful',
  );
  const gone = new Set(ended.map(({ questionId }) => reviewedDocumentId(questionId)));
  const read = doubtful.toSorted((a, b) => (a.askedAt < b.askedAt ? 1 : -1)).slice(0, mostRead);
  const stands = await Promise.all(
    read.map(async ({ id }) => {
      const handle = client.workflow.getHandle(questionWorkflowId(tenant, id));
      const end = await callTemporal(client, () => runEnd<Outcome>(handle));
      return end.status === 'ended' && !restsOn(end.result, gone);
    }),
  );
  return [...sure, ...read.filter((_, n) => stands[n])];
}
