import type { Client } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import { questionWorkflowId } from '../domain/contracts/run.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { readableMemo } from './asker.ts';
import type { QuestionStatus, QuestionSummary, RunRef } from './question-view.ts';

export interface QuestionFilter {
  limit: number;
  status?: QuestionStatus | undefined;
}

/** Newest first. Visibility lags behind by up to a second or so. */
export async function listQuestions(
  client: Client,
  {
    access,
    filter,
    refOf,
  }: { access: Access; filter: QuestionFilter; refOf: (workflowId: string, runId: string) => RunRef },
): Promise<QuestionSummary[]> {
  const prefix = questionWorkflowId(access.tenant, '');
  // Tenant names and statuses are checked words, so they need no escaping.
  const terms = [
    `WorkflowType = 'answerQuestion'`,
    `${searchAttributes.tenant.name} = '${access.tenant}'`,
    ...statusTerms(filter.status),
  ];
  const found: QuestionSummary[] = [];
  for await (const info of client.workflow.list({
    query: terms.join(' AND '),
    pageSize: Math.min(filter.limit * 2, 200),
  })) {
    const memo = readableMemo(access, info.memo);
    if (memo === null || !info.workflowId.startsWith(prefix)) continue;
    const attribute = (key: (typeof searchAttributes)['status']) => info.typedSearchAttributes.get(key) ?? null;
    found.push({
      id: info.workflowId.slice(prefix.length),
      question: memo.question,
      status: statusOf(info.status.name, attribute(searchAttributes.status)),
      verdict: attribute(searchAttributes.verdict),
      quality: attribute(searchAttributes.quality),
      reason: attribute(searchAttributes.reason),
      policy: attribute(searchAttributes.policy),
      user: memo.user,
      askedAt: info.startTime.toISOString(),
      endedAt: info.closeTime?.toISOString() ?? null,
      run: refOf(info.workflowId, info.runId),
    });
    if (found.length === filter.limit) break;
  }
  return found;
}

/** The run's own word for how it ended, but Temporal's where the run could not say it. */
function statusOf(execution: string, said: string | null): string {
  if (execution === 'RUNNING') return 'running';
  if (execution === 'COMPLETED') return said ?? 'completed';
  return execution === 'CANCELLED' ? 'cancelled' : 'failed';
}

function statusTerms(status: QuestionStatus | undefined): string[] {
  switch (status) {
    case undefined:
      return [];
    case 'running':
      return [`ExecutionStatus = 'Running'`];
    case 'cancelled':
      return [`ExecutionStatus = 'Canceled'`];
    case 'failed':
      return [`ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`];
    default:
      return [`ExecutionStatus = 'Completed'`, `${searchAttributes.status.name} = '${status}'`];
  }
}
