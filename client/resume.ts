import { createHash } from 'node:crypto';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import type { AskedMemo } from './asker.ts';
import { PlumblineError } from './failures.ts';
import { notedReview } from './noted-review.ts';
import { requireOperator, requireOwnOrOperator } from './own-or-operator.ts';
import { resetPoint, type ResetPoint } from './reset-point.ts';
import { readRun } from './run-record.ts';
import { callTemporal } from './temporal-calls.ts';

/** The newest run of a question, as a reader who may see it has found it. */
interface EndedRun {
  id: string;
  workflowId: string;
  memo: AskedMemo;
  description: WorkflowExecutionDescription;
}

export interface ResumeRequest {
  /** Name of the step to go on from; without it, the one whose failure ended the run. */
  from?: string | undefined;
  /** Why, for whoever reads the run later. */
  reason?: string | undefined;
}

/** Temporal's `ResetReapplyExcludeType` for signals, updates, Nexus operations and cancel requests: its enum cannot be imported by name. */
const reapplyNothing = [1, 2, 3, 4];

/**
 * From where a run would go on.
 * @throws PlumblineError `Access.RoleNeeded` for a run of somebody else without the role operator; `Run.NotFailed` while it runs, and without
 * `from` for one that was cancelled or has an outcome; `Run.UnknownStep` with the steps that it has
 */
export async function planResumption(
  client: Client,
  { access, run, from }: { access: Access; run: EndedRun; from: string | undefined },
): Promise<ResetPoint> {
  const { id, workflowId, description } = run;
  requireOwnOrOperator(access, run.memo, 'resume');
  if (from !== undefined && notedReview(description.memo)?.decided)
    requireOperator(access, 'undo what a reviewer decided');
  const why = refusal(run, from);
  if (why !== null) throw new PlumblineError('Run.NotFailed', why);
  return resetPoint(await readRun(client, { workflowId, runId: description.runId }), { id, from });
}

/**
 * Goes on with an ended run from before a step, as a new run with the same workflow id: Temporal's reset. What came before stays as it is;
 * everything from there on is done anew, decisions of reviewers included. Not to be called twice at once for one question: the server (1.32) does
 * not heed a repeated request id, and ends a run just resumed for another one.
 * @throws PlumblineError as `planResumption`
 */
export async function resumeRun(
  client: Client,
  { access, run, request }: { access: Access; run: EndedRun; request: ResumeRequest },
): Promise<{ from: string | null; runId: string }> {
  const { from, reason } = request;
  const point = await planResumption(client, { access, run, from });
  const { workflowId, description } = run;
  const { runId } = description;
  await mustBeNewest(client, run);
  const reset = {
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: point.task,
    requestId: requestIdOf(runId, point),
    reason: `resumed from ${point.step ?? 'its last task'} by ${access.user}${reason ? `: ${reason}` : ''}`,
    resetReapplyExcludeTypes: reapplyNothing,
    postResetOperations: [onPresentBuild],
  };
  const resumed = await callTemporal(client, () => client.workflowService.resetWorkflowExecution(reset));
  return { from: point.step, runId: resumed.runId };
}

/** A short run was pinned to its worker's build (docs/decisions/0015), which may be gone by now. */
const onPresentBuild = {
  updateWorkflowOptions: {
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  },
};

/** Why a run cannot be resumed so; null when it can. */
function refusal({ id, description }: EndedRun, from: string | undefined): string | null {
  const { status, closeTime } = description;
  if (closeTime === undefined) return stillRuns(id, description);
  if (from !== undefined) return null;
  if (status.name === 'COMPLETED')
    return `the run of question ${id} has not failed, it has an outcome; to do it anew from a step, name the step (from)`;
  if (status.name === 'CANCELLED')
    return `the run of question ${id} was cancelled; to take it up again, name the step to go on from (from)`;
  return null;
}

function stillRuns(id: string, { raw }: WorkflowExecutionDescription): string {
  const seconds = raw.workflowExtendedInfo?.lastResetTime?.seconds;
  const since = seconds ? `, since it was resumed at ${new Date(Number(seconds) * 1000).toISOString()}` : '';
  return `the run of question ${id} is still under way${since}; wait for its end, or cancel it first`;
}

/** Another process may have resumed it while its history was read. */
async function mustBeNewest(client: Client, { id, workflowId, description }: EndedRun): Promise<void> {
  const now = await callTemporal(client, () => client.workflow.getHandle(workflowId).describe());
  if (now.runId !== description.runId)
    throw new PlumblineError('Run.NotFailed', `the run of question ${id} was resumed by somebody else just now`);
}

/** The same for a repeated call, in the form of a UUID as Temporal's own tools send it. */
function requestIdOf(runId: string, { step }: ResetPoint): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([runId, step]))
    .digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
