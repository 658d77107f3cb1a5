import { rm } from 'node:fs/promises';
import { alive } from '../heartbeat.ts';
import { filesOf } from '../run.ts';
import type { IngestionDeps } from '../run.ts';
import { factsOf } from './note-taken-in.ts';
import type { SettleInput } from './note-taken-in.ts';
import { idsOfOtherFolders, writeSyncState } from './sync-state.ts';

export interface RemoveResult {
  count: number;
  /** A hundred at most. */
  deleted: string[];
}

const shownIds = 100;

/**
 * Deletes the documents whose files are gone from the folder, unless another folder of the tenant has them, too. They are forgotten only
 * when all of them are deleted, so that a step that fails is done again, now or with the folder's next turn.
 * @throws ApplicationFailure `Sync.BadState`, and the index's
 */
export function createRemoveVanished({ index, spoolDir }: Pick<IngestionDeps, 'index' | 'spoolDir'>) {
  return ({ run, folder }: SettleInput): Promise<RemoveResult> =>
    alive(async (signal) => {
      const sync = { tenant: run.tenant, folder };
      const { state, scan, plan } = await factsOf({ run, folder }, spoolDir);
      const elsewhere = plan.vanished.length === 0 ? new Set() : await idsOfOtherFolders(sync, spoolDir);
      const doomed = plan.vanished.filter((id) => !elsewhere.has(id));
      for (const id of doomed) {
        signal.throwIfAborted();
        await index.deleteDocument(run.tenant, id);
      }
      const documents = new Map(state.documents);
      for (const id of plan.vanished) documents.delete(id);
      // Of each folder the files of one run are kept: the last that went through.
      if (state.run !== null && state.run !== run.workflowId) {
        await rm(filesOf({ ...run, workflowId: state.run }, spoolDir).folder, { recursive: true, force: true });
      }
      await writeSyncState(sync, { run: run.workflowId, mounts: scan.mounts, documents }, spoolDir);
      return { count: doomed.length, deleted: doomed.slice(0, shownIds) };
    });
}
