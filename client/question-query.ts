import type { Access } from '../domain/contracts/access.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import type { QuestionStatus } from './question-view.ts';

/** What ends a question's run, or withholds its answer: `Model.InsufficientQuota`, `no_evidence`. */
export const reasonPattern = /^[A-Za-z]\w{0,99}(\.[A-Za-z]\w{0,99})?$/;

export interface QuestionTerms {
  status?: QuestionStatus | undefined;
  /** Why the run failed, or why it gave no answer; of the form of `reasonPattern`. */
  reason?: string | undefined;
  /** Only what is under way or has ended since then. */
  since?: Date | undefined;
  /** Only forks of the question with this id, a checked one. */
  forkOf?: string | undefined;
}

/** A query for Temporal's list of runs: the questions of a tenant that fit. All that goes into it are checked words, so none is escaped. */
export function questionQuery({ tenant }: Access, { status, reason, since, forkOf }: QuestionTerms): string {
  return [
    `WorkflowType = 'answerQuestion'`,
    `${searchAttributes.tenant.name} = '${tenant}'`,
    ...statusTerms(status),
    ...(reason === undefined ? [] : [reasonTerm(reason)]),
    ...(since === undefined ? [] : [`(ExecutionStatus = 'Running' OR CloseTime >= '${since.toISOString()}')`]),
    ...(forkOf === undefined ? [] : [`${searchAttributes.forkOf.name} = '${forkOf}'`]),
  ].join(' AND ');
}

/** A run that was ended from outside could not note why. */
function reasonTerm(reason: string): string {
  if (reason === 'Run.Terminated') return `ExecutionStatus = 'Terminated'`;
  if (reason === 'Run.TimedOut') return `ExecutionStatus = 'TimedOut'`;
  if (!reasonPattern.test(reason)) throw new TypeError('a reason is a word, or two with a dot between');
  return `${searchAttributes.reason.name} = '${reason}'`;
}

function statusTerms(status: QuestionStatus | undefined): string[] {
  switch (status) {
    case undefined:
      return [];
    case 'running':
      return [`ExecutionStatus = 'Running'`, `${searchAttributes.status.name} != 'awaiting_review'`];
    case 'awaiting_review':
      return [`ExecutionStatus = 'Running'`, `${searchAttributes.status.name} = 'awaiting_review'`];
    case 'cancelled':
      return [`ExecutionStatus = 'Canceled'`];
    case 'failed':
      return [`ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`];
    default:
      return [`ExecutionStatus = 'Completed'`, `${searchAttributes.status.name} = '${status}'`];
  }
}
