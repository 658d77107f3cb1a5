import { createEmbedAndIndex } from './embed-and-index.ts';
import { alive } from './heartbeat.ts';
import { readManifestPart } from './manifest.ts';
import type { ManifestPart } from './manifest.ts';
import { createDiscardDocument, createPublishDocument } from './publish-document.ts';
import { createReadDocument } from './read-document.ts';
import type { IngestionDeps } from './run.ts';
import { createFinishIngestion, createRecordReports } from './run-report.ts';
import { createNoteTakenIn } from './sync/note-taken-in.ts';
import { createRemoveVanished } from './sync/remove-vanished.ts';
import { createScanFolder } from './sync/scan-folder.ts';

export type { IngestionDeps } from './run.ts';

/** The steps of an ingestion and of a folder's synchronisation, with the outside world put in. */
export function createIngestionActivities(deps: IngestionDeps) {
  return {
    listSources: ({
      manifest,
      from,
      count,
    }: {
      manifest: string;
      from: number;
      count: number;
    }): Promise<ManifestPart> => alive(() => readManifestPart(manifest, from, count)),
    readDocument: createReadDocument(deps),
    embedAndIndex: createEmbedAndIndex(deps),
    publishDocument: createPublishDocument(deps),
    discardDocument: createDiscardDocument(deps),
    recordReports: createRecordReports(deps),
    finishIngestion: createFinishIngestion(deps),
    scanFolder: createScanFolder(deps),
    noteTakenIn: createNoteTakenIn(deps),
    removeVanished: createRemoveVanished(deps),
  };
}
export type IngestionActivities = ReturnType<typeof createIngestionActivities>;
