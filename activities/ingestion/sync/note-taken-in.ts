import type { SyncCounts } from '../../../domain/contracts/sync.ts';
import { planSync } from '../../../domain/ingestion/sync-plan.ts';
import type { SyncPlan } from '../../../domain/ingestion/sync-plan.ts';
import { alive } from '../heartbeat.ts';
import { readReports } from '../run-report.ts';
import type { IngestionDeps, RunRef } from '../run.ts';
import { readScan } from './scan-folder.ts';
import type { StoredScan } from './scan-folder.ts';
import { readSyncState, writeSyncState } from './sync-state.ts';
import type { SyncState } from './sync-state.ts';

export interface SettleInput {
  run: RunRef;
  folder: string;
}

/**
 * Notes what a run has taken in, whether it came to its end or not, so that none of it is forgotten when its file goes.
 * Repeatable. @throws ApplicationFailure `Sync.BadState`
 */
export function createNoteTakenIn({ spoolDir }: Pick<IngestionDeps, 'spoolDir'>) {
  return ({ run, folder }: SettleInput): Promise<SyncCounts> =>
    alive(async () => {
      const { state, scan, plan } = await factsOf({ run, folder }, spoolDir);
      const documents = new Map(state.documents);
      for (const [id, name] of plan.taken) {
        documents.set(id, { name, since: documents.get(id)?.since ?? run.workflowId });
      }
      const mounts = [...new Set([...state.mounts, ...scan.mounts])];
      await writeSyncState({ tenant: run.tenant, folder }, { ...state, mounts, documents }, spoolDir);
      return plan.counts;
    });
}

/** All that is known after a run's documents were worked off. */
export async function factsOf(
  { run, folder }: SettleInput,
  spoolDir: string,
): Promise<{ state: SyncState; scan: StoredScan; plan: SyncPlan }> {
  const state = await readSyncState({ tenant: run.tenant, folder }, spoolDir);
  const scan = await readScan(run, spoolDir);
  const reports = await readReports(run, spoolDir);
  return { state, scan, plan: planSync({ run: run.workflowId, documents: state.documents, scan, reports }) };
}
