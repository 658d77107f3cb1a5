import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import type { DocumentReport } from '../../domain/contracts/ingestion.ts';
import { reportFileName } from '../../domain/ingestion/run-files.ts';
import { writeWhole } from './atomic-write.ts';
import { alive } from './heartbeat.ts';
import { filesOf } from './run.ts';
import type { IngestionDeps, RunRef } from './run.ts';
import { sweepSpool } from './sweep-spool.ts';
import { systemErrorCode } from './system-error.ts';

/** Adds to the run's report. Repeatable: a batch replaces itself. */
export function createRecordReports({ spoolDir }: IngestionDeps) {
  return ({ run, batch, reports }: { run: RunRef; batch: number; reports: DocumentReport[] }): Promise<void> =>
    alive(() => {
      const lines = reports.map((report) => `${JSON.stringify(report)}\n`);
      return writeWhole(join(filesOf(run, spoolDir).reports, reportFileName(batch)), lines.join(''));
    });
}

/** The reports written so far, in the order in which the documents ended. */
export async function readReports(run: RunRef, spoolDir: string): Promise<DocumentReport[]> {
  const folder = filesOf(run, spoolDir).reports;
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const reports: DocumentReport[] = [];
  for (const name of names.filter((file) => file.endsWith('.jsonl')).sort()) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    for (const line of lines) if (line !== '') reports.push(JSON.parse(line) as DocumentReport);
  }
  return reports;
}

/** Removes all working files of a run; its list of files and its report stay for a week. Repeatable. */
export function createFinishIngestion({ spoolDir }: IngestionDeps) {
  return ({ run }: { run: RunRef }): Promise<void> =>
    alive(async () => {
      const { uploads, prepared, claims } = filesOf(run, spoolDir);
      for (const path of [uploads, prepared, claims]) await rm(path, { recursive: true, force: true });
      await sweepSpool(spoolDir).catch((error: unknown) => {
        // The files of others are no reason for this run to fail.
        Context.current().log.warn('files of past ingestions could not be removed', { error });
      });
    });
}
