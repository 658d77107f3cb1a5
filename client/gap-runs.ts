import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import type { AnsweredRun, EndedPublication, GapRun, PublishedReview } from '../domain/contracts/gaps.ts';
import { questionIdOf, questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { readableMemo, type AskedMemo } from './asker.ts';
import { notedReview } from './noted-review.ts';
import { publicationMemo, publicationState } from './publication-view.ts';
import { questionQuery } from './question-query.ts';
import { lineagesOf, runPage, type RunPage } from './run-pages.ts';
import { statusOf } from './run-status.ts';

/** Runs that are looked at: of each kind, the newest. */
const mostRuns = 2000;
const pageSize = 500;

/**
 * The reader's visible runs, asked since then, that abstained, answered in part, or had a person asked; no forks, which nobody asked anew.
 * `truncated`: there were more.
 */
export async function gapRuns(
  client: Client,
  access: Access,
  since: Date,
): Promise<{ runs: GapRun[]; runIds: Map<string, string>; truncated: boolean }> {
  const { status, reviewState } = searchAttributes;
  const gap = `(${status.name} IN ('abstained', 'partially_answered') OR ${reviewState.name} IS NOT NULL)`;
  const { seen, truncated } = await visible(client, access, `${askedSince(access, since)} AND ${gap}`);
  const runs = seen.map(({ info, memo }) => gapRun(access, info, memo));
  return { runs, runIds: new Map(seen.map(({ info }) => [idOf(access, info), info.runId])), truncated };
}

/** What was answered in full since then. */
export async function answeredRuns(client: Client, access: Access, since: Date): Promise<AnsweredRun[]> {
  const answered = `ExecutionStatus = 'Completed' AND ${searchAttributes.status.name} = 'answered'`;
  const { seen } = await visible(client, access, `${askedSince(access, since)} AND ${answered}`);
  return seen.map(({ info, memo: { question, groups } }) => ({
    id: idOf(access, info),
    question,
    groups,
    askedAt: info.startTime.toISOString(),
  }));
}

/** The tenant's reviewed documents, whoever may read them: those that answer today, and those that do no more. */
export async function reviewedDocuments(
  client: Client,
  { tenant }: Access,
): Promise<{ published: PublishedReview[]; ended: EndedPublication[] }> {
  const query = `WorkflowType IN ('publishReview', 'withdrawReview') AND ${searchAttributes.tenant.name} = '${tenant}'`;
  const newest = new Map<string, WorkflowExecutionInfo>();
  for await (const info of pages(client, query)) {
    const known = newest.get(info.workflowId);
    if (known === undefined || known.startTime < info.startTime) newest.set(info.workflowId, info);
  }
  const today = new Date().toISOString().slice(0, 10);
  const published: PublishedReview[] = [];
  const ended: EndedPublication[] = [];
  for (const info of newest.values()) {
    const { published: standing, withdrawn } = publicationState(info);
    const questionId = publicationMemo(info.memo)?.questionId;
    if (questionId === undefined) continue;
    if (withdrawn !== null) ended.push({ questionId, at: withdrawn.at });
    if (standing === null) continue;
    const { at, groups, validUntil } = standing;
    if (validUntil === null || validUntil >= today) published.push({ questionId, at, groups });
    else ended.push({ questionId, at: `${validUntil}T23:59:59.999Z` });
  }
  return { published, ended };
}

interface Seen {
  info: WorkflowExecutionInfo;
  memo: AskedMemo;
}

async function visible(client: Client, access: Access, query: string): Promise<{ seen: Seen[]; truncated: boolean }> {
  const prefix = questionWorkflowId(access.tenant, '');
  const seen: Seen[] = [];
  let truncated = false;
  for await (const info of pages(client, query)) {
    const memo = readableMemo(access, info.memo);
    if (memo === null || memo.forkOf !== undefined || !info.workflowId.startsWith(prefix)) continue;
    truncated = seen.length === mostRuns;
    if (truncated) break;
    seen.push({ info, memo });
  }
  const lineages = await lineagesOf(
    client,
    seen.map(({ info }) => info.workflowId),
  );
  return { seen: seen.filter(({ info }) => lineages.get(info.workflowId)?.newestRunId === info.runId), truncated };
}

/** Newest first. */
async function* pages(client: Client, query: string): AsyncGenerator<WorkflowExecutionInfo> {
  let token: Uint8Array | null = new Uint8Array();
  while (token !== null) {
    const page: RunPage = await runPage(client, { query, pageSize, token });
    yield* page.runs;
    token = page.next.length > 0 ? page.next : null;
  }
}

function askedSince(access: Access, since: Date): string {
  return `${questionQuery(access, {})} AND StartTime >= '${since.toISOString()}'`;
}

function gapRun(access: Access, info: WorkflowExecutionInfo, { question, groups }: AskedMemo): GapRun {
  const review = notedReview(info.memo);
  const attribute = (key: (typeof searchAttributes)['status']) => info.typedSearchAttributes.get(key) ?? null;
  return {
    id: idOf(access, info),
    question,
    status: statusOf(info.status.name, attribute(searchAttributes.status)),
    reason: attribute(searchAttributes.reason),
    askedAt: info.startTime.toISOString(),
    groups,
    review: review && { state: review.state, decided: review.decided?.kind ?? null },
  };
}

function idOf({ tenant }: Access, { workflowId }: WorkflowExecutionInfo): string {
  return questionIdOf(tenant, workflowId);
}
