import { QueryNotRegisteredError, type Client, type WorkflowHandle } from '@temporalio/client';
import type { IngestionProgress, IngestionReport } from '../domain/contracts/ingestion.ts';
import type { ingestDocuments } from '../workflows/ingest-documents.ts';
import { PlumblineError, fromTemporal } from './failures.ts';
import type { RunRef } from './question-view.ts';
import { runEnd, type FailureReason, type RunEnd } from './run-end.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';

export type IngestionHandle = WorkflowHandle<typeof ingestDocuments>;

/** An ingestion as `GET /v1/ingestions/{id}` returns it. */
export interface IngestionView {
  id: string;
  status: 'running' | 'ended' | 'failed' | 'cancelled';
  /** Null when no worker could answer. */
  progress: IngestionProgress | null;
  report: IngestionReport | null;
  reason: FailureReason | null;
  run: RunRef;
}

export interface StartedIngestion {
  id: string;
  run: RunRef;
  /** False when the id led to a run that was started before. */
  fresh: boolean;
  /** Waits for the report, as long as it takes. Rejects when the run failed or was cancelled. */
  report(): Promise<IngestionReport>;
  /** Null when no worker could answer. */
  progress(): Promise<IngestionProgress | null>;
  /** Waits for the end at most that long; null when the run still goes on then. */
  viewWithin(ms: number, signal?: AbortSignal): Promise<IngestionView | null>;
  view(signal?: AbortSignal): Promise<IngestionView>;
  cancel(): Promise<void>;
}

/** Everything about one run, as functions that need no `this`. */
export function ingestionRun(
  client: Client,
  { id, handle, run }: { id: string; handle: IngestionHandle; run: RunRef },
): StartedIngestion {
  const progress = async (signal?: AbortSignal) => {
    try {
      const query = () => handle.query<IngestionProgress>('ingestProgress');
      return await callTemporal(client, query, { kind: 'query', signal });
    } catch (error) {
      if (error instanceof PlumblineError || error instanceof QueryNotRegisteredError) return null;
      throw error;
    }
  };
  const ended = async (end: RunEnd<IngestionReport>, signal?: AbortSignal): Promise<IngestionView> => ({
    id,
    status: end.status,
    progress: await progress(signal),
    report: end.status === 'ended' ? end.result : null,
    reason: end.status === 'failed' ? end.reason : null,
    run,
  });
  return {
    id,
    run,
    fresh: true,
    progress,
    report: () => handle.result().catch((error: unknown) => Promise.reject(fromTemporal(error))),
    viewWithin: async (ms, signal) => {
      const end = await endWithin(client, handle, { ms, signal });
      return end && ended(end, signal);
    },
    view: async (signal) => {
      const { status } = await callTemporal(client, () => handle.describe(), { signal });
      if (status.name !== 'RUNNING') return ended(await callTemporal(client, () => runEnd(handle), { signal }), signal);
      return { id, status: 'running', progress: await progress(signal), report: null, reason: null, run };
    },
    cancel: async () => {
      await callTemporal(client, () => handle.cancel());
    },
  };
}
