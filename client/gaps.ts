import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { GapGroup, GapReport, GapRun, PublishedReview } from '../domain/contracts/gaps.ts';
import { questionWorkflowId } from '../domain/rules/workflow-ids.ts';
import { missingOf, waysToClose, type ReadRun } from '../domain/rules/gap-closing.ts';
import { inOrder, outlineOf, questionKey, type GapOutline } from '../domain/rules/gap-groups.ts';
import { shortened } from '../domain/text/shortened.ts';
import type { groupQuestions } from '../workflows/group-questions.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import { PlumblineError } from './failures.ts';
import { answeredRuns, gapRuns, reviewedDocuments } from './gap-runs.ts';
import { runEnd } from './run-end.ts';
import { standingAnswers } from './standing-answers.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';

export interface GapOptions {
  since: Date;
  /** Groups that are shown. */
  limit: number;
  /** Whether closed ones are shown too, last. */
  all: boolean;
  signal?: AbortSignal | undefined;
}

/** What of a question is compared: a workflow's input holds all of them. */
const comparedCharacters = 200;
/** Long enough for 2,000 questions on a busy machine, in ms. */
const groupingMs = 60_000;
/** Runs of a group that are read for what they lacked. */
const readRuns = 3;
/** Questions of a group that are named. */
const namedQuestions = 20;

/** @throws PlumblineError `Temporal.Unavailable`, also when no worker groups the questions in time */
export async function findGaps(client: Client, access: Access, options: GapOptions): Promise<GapReport> {
  const { since, limit, all, signal } = options;
  const [{ runs, runIds, truncated }, allAnswered, { published, ended }] = await Promise.all([
    gapRuns(client, access, since),
    answeredRuns(client, access, since),
    reviewedDocuments(client, access),
  ]);
  const gaps = new Set(runs.map(({ question }) => questionKey(question)));
  const closing = allAnswered.filter(({ question }) => gaps.has(questionKey(question)));
  const [answered, groups] = await Promise.all([
    standingAnswers(client, { tenant: access.tenant, answered: closing, ended }),
    grouped(client, runs, { tenant: access.tenant, signal }),
  ]);
  const outlines = inOrder(groups.map(({ central, members }) => outlineOf(central, members, { published, answered })));
  const open = outlines.filter(({ closed }) => !closed);
  const shown = (all ? outlines : open).slice(0, limit);
  const read = (outline: GapOutline) => readGroup(client, outline, { tenant: access.tenant, runIds, published });
  const shownOpen = shown.filter(({ closed }) => !closed).length;
  return {
    since: since.toISOString(),
    questions: runs.length,
    truncated,
    groups: await Promise.all(shown.map(read)),
    omitted: {
      closed: outlines.length - open.length - (shown.length - shownOpen),
      open: open.length - shownOpen,
    },
  };
}

/** Groups by meaning, where a worker has the model: different texts only, each once. */
async function grouped(
  client: Client,
  runs: readonly GapRun[],
  { tenant, signal }: { tenant: string; signal: AbortSignal | undefined },
): Promise<{ central: string; members: GapRun[] }[]> {
  if (runs.length === 0) return [];
  const byKey = [...Map.groupBy(runs, ({ question }) => questionKey(shortened(question, comparedCharacters))).values()];
  const questions = byKey.map((same) => ({
    text: shortened(same[0]?.question ?? '', comparedCharacters),
    weight: same.length,
  }));
  const handle = await callTemporal(client, () =>
    client.workflow.start<typeof groupQuestions>('groupQuestions', {
      workflowId: `gaps.${tenant}.${randomUUID()}`,
      taskQueue: defaultTaskQueue,
      args: [{ questions }],
      workflowExecutionTimeout: groupingMs,
      staticSummary: `${questions.length} question(s) by meaning`,
      priority: { fairnessKey: tenant },
    }),
  );
  const end = await endWithin(client, handle, { ms: groupingMs, signal });
  if (end?.status !== 'ended') throw notGrouped();
  return end.result.map((group) => ({
    central: questions[group[0] ?? -1]?.text ?? '',
    members: group.flatMap((index) => byKey[index] ?? []),
  }));
}

async function readGroup(
  client: Client,
  { runs, ...outline }: GapOutline,
  { tenant, runIds, published }: { tenant: string; runIds: Map<string, string>; published: readonly PublishedReview[] },
): Promise<GapGroup> {
  const documents = new Set(published.map(({ questionId }) => questionId));
  const read = await Promise.all(
    runs.slice(0, readRuns).map(async (run): Promise<ReadRun> => {
      const execution = { workflowId: questionWorkflowId(tenant, run.id), runId: runIds.get(run.id) };
      return { run, outcome: await outcomeOf(client, run, execution), published: documents.has(run.id) };
    }),
  );
  const questions = runs.slice(0, namedQuestions).map(({ id }) => id);
  return { ...outline, questions, missing: missingOf(read), closes: outline.closed ? [] : waysToClose(read) };
}

/** Null for a run that has none, or none yet. */
async function outcomeOf(
  client: Client,
  { status }: GapRun,
  { workflowId, runId }: { workflowId: string; runId: string | undefined },
): Promise<Outcome | null> {
  if (status === 'running' || status === 'awaiting_review') return null;
  const handle = client.workflow.getHandle(workflowId, runId);
  const end = await callTemporal(client, () => runEnd<Outcome>(handle));
  return end.status === 'ended' ? end.result : null;
}

function notGrouped(): PlumblineError {
  return new PlumblineError('Worker.Unavailable', 'no worker grouped the questions in time', {
    retryAfterSeconds: 10,
  });
}
