import type { WorkflowClient } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

export interface RunHistory {
  runId: string;
  events: number;
  /** Size of the largest payload in it, in bytes. */
  largestPayload: number;
  /** As JSON, for replay. */
  json: object;
}

/** The histories of a chain of runs, first to last. */
export async function historiesOf(
  client: WorkflowClient,
  workflowId: string,
  firstRunId: string,
): Promise<RunHistory[]> {
  const found: RunHistory[] = [];
  let runId: string | null | undefined = firstRunId;
  while (runId) {
    const history: History = await client.getHandle(workflowId, runId).fetchHistory();
    const json = JSON.parse(historyToJSON(history)) as object;
    const events = history.events ?? [];
    found.push({ runId, events: events.length, largestPayload: largestPayload(json), json });
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return found;
}

/** Payloads are the base64 strings under `data`. */
function largestPayload(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((largest, [key, inner]: [string, unknown]) => {
    const size =
      key === 'data' && typeof inner === 'string' ? Buffer.from(inner, 'base64').length : largestPayload(inner);
    return Math.max(largest, size);
  }, 0);
}
