import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  ParentClosePolicy,
  TemporalFailure,
  executeChild,
  proxyActivities,
  setCurrentDetails,
  uuid4,
} from '@temporalio/workflow';
import type { IngestionActivities } from '../activities/ingestion/index.ts';
import type { RunRef } from '../activities/ingestion/run.ts';
import type { SyncCounts, SyncInput, SyncReport } from '../domain/contracts/sync.ts';
import { ingestDocuments } from './ingest-documents.ts';

const { scanFolder, noteTakenIn, removeVanished } = proxyActivities<IngestionActivities>({
  startToCloseTimeout: '15m',
  heartbeatTimeout: '20s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  // As for the steps of an ingestion: outlasts a restart of the index.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s', maximumAttempts: 8 },
});

/**
 * Makes the index hold what a folder holds: takes in what is new or changed, then deletes the documents whose files are gone. A file that cannot
 * be taken in keeps its document of before. Started by a Schedule that skips a turn while the one before still goes on.
 * Fails when cancelled or with a dotted type, as `Sync.FolderUnavailable`; then nothing was deleted, or the next turn deletes the rest.
 */
export async function syncFolder({ tenant, user, folder, options }: SyncInput): Promise<SyncReport> {
  const started = Date.now();
  const run: RunRef = { workflowId: `ingestion.${tenant}.${uuid4()}`, tenant, user };
  try {
    const scan = await scanFolder({ run, folder, options });
    const counts = await takeIn(scan, { run, folder, options });
    const removed = await removeVanished({ run, folder });
    const report: SyncReport = {
      counts: { ...counts, deleted: removed.count },
      deleted: removed.deleted,
      unreadable: scan.unreadable,
      unreadableCount: scan.unreadableCount,
      ingestion: scan.files > 0 ? run.workflowId : null,
      ms: Date.now() - started,
    };
    setCurrentDetails(story(folder, report));
    return report;
  } catch (error) {
    throw reasonOf(error);
  }
}

/** Runs the ingestion. What it has taken in is noted however it ends. */
async function takeIn(
  { files, manifest }: { files: number; manifest: string },
  { run, folder, options }: Pick<SyncInput, 'folder' | 'options'> & { run: RunRef },
): Promise<SyncCounts> {
  const { tenant, user } = run;
  const note = () => CancellationScope.nonCancellable(() => noteTakenIn({ run, folder }));
  try {
    if (files > 0) {
      await executeChild(ingestDocuments, {
        workflowId: run.workflowId,
        args: [{ tenant, user, source: { manifest }, options: options.ingestion }],
        // As if the user had started it: it can be looked up as any other.
        memo: { user, request: '', call: uuid4() },
        staticSummary: `${files} file(s) of ${folder}`.slice(0, 120).toWellFormed(),
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        priority: { fairnessKey: tenant },
      });
    }
  } catch (error) {
    if (error instanceof TemporalFailure) await note();
    throw error;
  }
  return note();
}

/** The failure of the step or ingestion itself, so that the run fails with its type. */
function reasonOf(error: unknown): unknown {
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) {
    const { cause } = error;
    if (cause instanceof ApplicationFailure) return cause;
    if (cause instanceof ActivityFailure) return reasonOf(cause);
  }
  return error;
}

/** Markdown for the Temporal UI. */
function story(folder: string, { counts, unreadableCount }: SyncReport): string {
  const { added, changed, unchanged, failed, deleted } = counts;
  const parts = [`${added} new, ${changed} changed, ${unchanged} unchanged, ${failed} failed, ${deleted} deleted`];
  if (unreadableCount > 0) parts.push(`${unreadableCount} places could not be read`);
  return [`### ${folder}`, ...parts].join('\n\n');
}
