import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { documentReportSchema } from '../domain/contracts/ingestion.ts';
import type { DocumentReport, SourceFile } from '../domain/contracts/ingestion.ts';
import { runFiles } from '../domain/ingestion/run-files.ts';

/** Writes the list of files of a run to be started, whole or not at all; the path goes into the run's input. */
export async function writeManifest(
  spoolDir: string,
  workflowId: string,
  files: Iterable<SourceFile>,
): Promise<string> {
  const path = join(spoolDir, ...runFiles(workflowId).manifest.split('/'));
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.part`;
  await writeFile(draft, linesOf(files));
  await rename(draft, path);
  return path;
}

function* linesOf(files: Iterable<SourceFile>): Generator<string> {
  for (const file of files) yield `${JSON.stringify(file)}\n`;
}

/** The reports of all documents of a run, in the order in which they ended; while it goes, those written so far (some 25 behind). */
export async function* readReports(spoolDir: string, workflowId: string): AsyncGenerator<DocumentReport> {
  const folder = join(spoolDir, ...runFiles(workflowId).reports.split('/'));
  const names = await readdir(folder).catch((error: unknown) => {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((file) => file.endsWith('.jsonl')).sort()) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    for (const line of lines) if (line !== '') yield documentReportSchema.parse(JSON.parse(line));
  }
}
