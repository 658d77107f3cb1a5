import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { IngestionActivities } from '../../activities/ingestion/index.ts';
import type { RunRef } from '../../activities/ingestion/run.ts';
import type { IngestionInput } from '../../domain/contracts/ingestion.ts';

/** Waits 1, 2, 4, … 30 s between tries: eight of them outlast a restart of the index, about two minutes. */
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;
/** Soon enough that a killed worker's documents go on, long enough for a busy one. */
const heartbeatTimeout = '20s';

const limits = {
  /** Reading has its own limit of time per file, in the parser. */
  read: {
    startToCloseTimeout: '15m',
    heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
  embed: {
    startToCloseTimeout: '30m',
    heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
  /** Not to be left in between: ends published or not. */
  publish: {
    startToCloseTimeout: '5m',
    heartbeatTimeout,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  },
  /** A store that is away cannot be tidied; what stays behind is never visible. */
  discard: { startToCloseTimeout: '1m', heartbeatTimeout, scheduleToCloseTimeout: '2m' },
  files: { startToCloseTimeout: '2m', heartbeatTimeout },
} satisfies Record<string, ActivityOptions>;

/** The steps with their limits; `attempts` bounds those that a document's fate depends on. */
export function stepsOf(attempts: number) {
  const proxy = (options: ActivityOptions, maximumAttempts: number) =>
    proxyActivities<IngestionActivities>({ ...options, retry: { ...retry, maximumAttempts } });
  const read = proxy(limits.read, attempts).readDocument;
  const embed = proxy(limits.embed, attempts).embedAndIndex;
  const publish = proxy(limits.publish, attempts).publishDocument;
  const discard = proxy(limits.discard, Math.min(attempts, 3)).discardDocument;
  const { listSources, recordReports, finishIngestion } = proxy(limits.files, 8);
  return { read, embed, publish, discard, listSources, recordReports, finishIngestion };
}

export function runOf({ tenant, user, groups }: IngestionInput): RunRef {
  return { workflowId: workflowInfo().workflowId, tenant, user, ...(groups ? { groups } : {}) };
}
