import type { Client } from '@temporalio/client';
import { failureOrigin, startedStep, type EventId, type HistoryEvent, type StartedStep } from './step-events.ts';
import { callTemporal } from './temporal-calls.ts';

/** How a run went, as far as it matters for going on from somewhere in it. */
export interface RunRecord {
  /** In the order in which they began. */
  steps: StartedStep[];
  /** The step whose failure ended the run. */
  fatal: StartedStep | null;
  /** The last workflow task that a worker took; null when none did. */
  lastTask: EventId | null;
}

/** Events of one call: with their payloads far less than the 4 MB that a message may have. */
const pageSize = 250;

/** Reads the history of a run page by page; no more than one is held. @throws PlumblineError `Temporal.Unavailable` */
export async function readRun(client: Client, execution: { workflowId: string; runId: string }): Promise<RunRecord> {
  const record: RunRecord = { steps: [], fatal: null, lastTask: null };
  const { namespace } = client.options;
  let nextPageToken = new Uint8Array();
  do {
    const request = { namespace, execution, maximumPageSize: pageSize, nextPageToken };
    const page = await callTemporal(client, () => client.workflowService.getWorkflowExecutionHistory(request));
    for (const event of page.history?.events ?? []) take(record, event);
    nextPageToken = new Uint8Array(page.nextPageToken);
  } while (nextPageToken.length > 0);
  return record;
}

function take(record: RunRecord, event: HistoryEvent): void {
  const { steps } = record;
  const step = startedStep(event);
  // While one review waits, the run notes more than once that it does.
  if (step && !(step.step === 'review' && steps.at(-1)?.step === 'review')) steps.push(step);
  const failed = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
  if (failed) markFailed(steps, Number(failed.scheduledEventId));
  if (isTakenTask(event)) record.lastTask = event.eventId ?? null;
  if (event.workflowExecutionFailedEventAttributes) record.fatal = fatalStep(steps, event);
}

function markFailed(steps: StartedStep[], scheduledEvent: number): void {
  const step = steps.find((candidate) => candidate.scheduledEvent === scheduledEvent);
  if (step) step.failed = true;
}

/** The kinds of events that Temporal resets to. */
function isTakenTask(event: HistoryEvent): boolean {
  const kinds = [
    event.workflowTaskStartedEventAttributes,
    event.workflowTaskCompletedEventAttributes,
    event.workflowTaskFailedEventAttributes,
    event.workflowTaskTimedOutEventAttributes,
  ];
  return kinds.some((attributes) => attributes != null);
}

/** By the failure itself: steps that failed before, or beside it, may have been done without. A failure without a step is that of a review. */
function fatalStep(steps: StartedStep[], event: HistoryEvent): StartedStep | null {
  const { scheduledEvent, step: name } = failureOrigin(event) ?? { scheduledEvent: null, step: 'review' };
  const scheduled = steps.find((step) => scheduledEvent !== null && step.scheduledEvent === scheduledEvent);
  const named = (failed: boolean) => steps.findLast((step) => step.step === name && step.failed === failed);
  return scheduled ?? named(true) ?? named(false) ?? steps.findLast(({ failed }) => failed) ?? null;
}
