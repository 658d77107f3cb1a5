import { createEmbedAndIndex } from './embed-and-index.ts';
import { alive } from './heartbeat.ts';
import { readManifestPart } from './manifest.ts';
import type { ManifestPart } from './manifest.ts';
import { createDiscardDocument, createPublishDocument } from './publish-document.ts';
import { createReadDocument } from './read-document.ts';
import type { IngestionDeps } from './run.ts';
import { createFinishIngestion, createRecordReports } from './run-report.ts';

export type { IngestionDeps } from './run.ts';

/** The steps of an ingestion, with the outside world put in. */
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
  };
}
export type IngestionActivities = ReturnType<typeof createIngestionActivities>;
