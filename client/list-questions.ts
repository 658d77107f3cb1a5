import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import { questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { readableMemo } from './asker.ts';
import { cursorOf, tokenOf } from './list-cursor.ts';
import { questionQuery, type QuestionTerms } from './question-query.ts';
import type { QuestionSummary, RunRef } from './question-view.ts';
import { lineagesOf, runPage } from './run-pages.ts';
import { statusOf } from './run-status.ts';

export interface QuestionFilter extends QuestionTerms {
  limit: number;
  /** `next` of the page before. */
  cursor?: string | undefined;
}

export interface QuestionPage {
  questions: QuestionSummary[];
  /** Cursor of the next page; null after the last. A page may hold less than the limit although there are more. */
  next: string | null;
}

interface ListOptions {
  access: Access;
  filter: QuestionFilter;
  refOf: (workflowId: string, runId: string) => RunRef;
}

/** So many of Temporal's pages are read for one of ours, where the reader may see few of the runs. */
const mostPages = 50;

/**
 * Those under way first, then by their end, the latest first: Temporal's own order. Of a run that was resumed only the newest is listed. Visibility
 * lags behind by up to a second or so. @throws PlumblineError `Question.WrongCursor`
 */
export async function listQuestions(client: Client, options: ListOptions): Promise<QuestionPage> {
  const { access, filter } = options;
  const query = questionQuery(access, filter);
  const questions: QuestionSummary[] = [];
  let token = tokenOf(filter.cursor);
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await runPage(client, { query, pageSize: filter.limit - questions.length, token });
    const readable = page.runs.flatMap((info) => summaryOf(info, options) ?? []);
    questions.push(...(await newest(client, readable)));
    token = page.next;
    if (token.length === 0 || questions.length === filter.limit) break;
  }
  return { questions, next: cursorOf(token) };
}

/** Those of the newest runs only, with the time at which each question was asked first. */
async function newest(client: Client, found: QuestionSummary[]): Promise<QuestionSummary[]> {
  const workflowIds = found.map(({ run }) => run.workflowId);
  const lineages = await lineagesOf(client, workflowIds);
  return found.flatMap((summary) => {
    const lineage = lineages.get(summary.run.workflowId);
    if (lineage && lineage.newestRunId !== summary.run.runId) return [];
    return { ...summary, askedAt: lineage?.firstStart.toISOString() ?? summary.askedAt };
  });
}

/** Null for a run that this reader may not see. */
function summaryOf(info: WorkflowExecutionInfo, { access, refOf }: ListOptions): QuestionSummary | null {
  const prefix = questionWorkflowId(access.tenant, '');
  const memo = readableMemo(access, info.memo);
  const id = info.workflowId.slice(prefix.length);
  if (memo === null || !info.workflowId.startsWith(prefix) || !/^[A-Za-z0-9-]{1,64}$/.test(id)) return null;
  const attribute = (key: (typeof searchAttributes)['status']) => info.typedSearchAttributes.get(key) ?? null;
  return {
    id,
    question: memo.question,
    status: statusOf(info.status.name, attribute(searchAttributes.status)),
    verdict: attribute(searchAttributes.verdict),
    quality: attribute(searchAttributes.quality),
    reason: reasonOf(info.status.name, attribute(searchAttributes.reason)),
    policy: attribute(searchAttributes.policy),
    user: memo.user,
    forkOf: memo.forkOf ?? null,
    askedAt: info.startTime.toISOString(),
    endedAt: info.closeTime?.toISOString() ?? null,
    run: refOf(info.workflowId, info.runId),
  };
}

/** A run that was ended from outside could not note why. */
function reasonOf(execution: string, said: string | null): string | null {
  if (execution === 'TERMINATED') return 'Run.Terminated';
  return execution === 'TIMED_OUT' ? 'Run.TimedOut' : said;
}
