import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
import { callTemporal } from './temporal-calls.ts';

export interface RunPage {
  runs: WorkflowExecutionInfo[];
  /** Token of the next page; empty after the last. */
  next: Uint8Array;
}

/** One page of Temporal's list of runs, one bounded call: the SDK's own list keeps its tokens to itself. @throws PlumblineError `Temporal.Unavailable` */
export async function runPage(
  client: Client,
  { query, pageSize, token }: { query: string; pageSize: number; token: Uint8Array },
): Promise<RunPage> {
  const { namespace, loadedDataConverter } = client.options;
  const request = { namespace, query, pageSize, nextPageToken: new Uint8Array(token) };
  const { executions, nextPageToken } = await callTemporal(client, () =>
    client.workflowService.listWorkflowExecutions(request),
  );
  const runs = executions.map((raw) => executionInfoFromRaw(raw, loadedDataConverter, raw, namespace));
  return { runs: await Promise.all(runs), next: nextPageToken };
}

/** What Temporal's list knows of the runs under one workflow id. */
export interface Lineage {
  newestRunId: string;
  firstStart: Date;
  newestStart: Date;
}

/** As many workflow ids as one query names. */
const idsAtOnce = 100;

/** Of workflow ids, which are checked words: a run that was resumed stays in Temporal's list as it ended, beside the one that went on. */
export async function lineagesOf(client: Client, workflowIds: string[]): Promise<Map<string, Lineage>> {
  const lineages = new Map<string, Lineage>();
  for (let start = 0; start < workflowIds.length; start += idsAtOnce) {
    const ids = workflowIds.slice(start, start + idsAtOnce).map((id) => `'${id}'`);
    for await (const run of allRuns(client, `WorkflowId IN (${ids.join(', ')})`))
      lineages.set(run.workflowId, joined(lineages.get(run.workflowId), run));
  }
  return lineages;
}

function joined(known: Lineage | undefined, { runId, startTime }: WorkflowExecutionInfo): Lineage {
  if (!known) return { newestRunId: runId, newestStart: startTime, firstStart: startTime };
  if (startTime > known.newestStart) return { ...known, newestRunId: runId, newestStart: startTime };
  return { ...known, firstStart: startTime < known.firstStart ? startTime : known.firstStart };
}

async function* allRuns(client: Client, query: string): AsyncGenerator<WorkflowExecutionInfo> {
  let token: Uint8Array | null = new Uint8Array();
  while (token) {
    const page: RunPage = await runPage(client, { query, pageSize: 1000, token });
    yield* page.runs;
    token = page.next.length > 0 ? page.next : null;
  }
}
