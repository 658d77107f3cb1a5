import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentReport } from '../../domain/contracts/ingestion.ts';
import { reportFileName } from '../../domain/ingestion/run-files.ts';
import { writeWhole } from './atomic-write.ts';
import { alive } from './heartbeat.ts';
import { filesOf } from './run.ts';
import type { IngestionDeps, RunRef } from './run.ts';

/** Adds to the run's report. Repeatable: a batch replaces itself. */
export function createRecordReports({ spoolDir }: IngestionDeps) {
  return ({ run, batch, reports }: { run: RunRef; batch: number; reports: DocumentReport[] }): Promise<void> =>
    alive(() => {
      const lines = reports.map((report) => `${JSON.stringify(report)}\n`);
      return writeWhole(join(filesOf(run, spoolDir).reports, reportFileName(batch)), lines.join(''));
    });
}

/** Removes all working files of a run; its list of files and its report stay. Repeatable. */
export function createFinishIngestion({ spoolDir }: IngestionDeps) {
  return ({ run }: { run: RunRef }): Promise<void> =>
    alive(async () => {
      const { uploads, prepared, claims } = filesOf(run, spoolDir);
      for (const path of [uploads, prepared, claims]) await rm(path, { recursive: true, force: true });
    });
}
