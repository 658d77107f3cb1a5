import { alive } from './heartbeat.ts';
import { removePrepared } from './prepared-files.ts';
import { keyOf } from './run.ts';
import type { IngestionDeps, PreparedRef, RunRef } from './run.ts';

/** Makes a whole version the one that is searched, in one step. Repeatable. */
export function createPublishDocument({ index, spoolDir }: IngestionDeps) {
  return ({ run, document }: { run: RunRef; document: PreparedRef }): Promise<void> =>
    alive(async () => {
      await index.publishVersion(keyOf(run, document));
      await removePrepared(run, document, spoolDir);
    });
}

/** Removes what a failed or cancelled document left behind; a version that is live stays. Repeatable. */
export function createDiscardDocument({ index, spoolDir }: IngestionDeps) {
  return ({ run, document }: { run: RunRef; document: PreparedRef }): Promise<void> =>
    alive(async () => {
      await removePrepared(run, document, spoolDir);
      await index.discardVersion(keyOf(run, document));
    });
}
