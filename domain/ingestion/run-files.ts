/**
 * Where a run keeps its files, below the folder that workers, API and CLI share. Names only; no I/O.
 * A run's list of files and its report are read by the API and the CLI; the rest belongs to the worker.
 */
export interface RunFiles {
  folder: string;
  /** JSON Lines, a `SourceFile` each. */
  manifest: string;
  /** Holds JSON Lines files, a `DocumentReport` each, to be read in the order of their names. */
  reports: string;
  /** Files sent with the call that started the run; removed with the last step. */
  uploads: string;
  /** Parsed documents between the steps; removed with the last step. */
  prepared: string;
  /** Which file of the run took which document id. */
  claims: string;
  /** What was seen in a folder that is kept in sync. */
  scan: string;
}

/** Paths with `/`, relative to the shared folder. */
export function runFiles(workflowId: string): RunFiles {
  const folder = `ingestions/${encodeURIComponent(workflowId).replaceAll('.', '%2E')}`;
  return {
    folder,
    manifest: `${folder}/manifest.jsonl`,
    reports: `${folder}/reports`,
    uploads: `${folder}/uploads`,
    prepared: `${folder}/prepared`,
    claims: `${folder}/claims`,
    scan: `${folder}/scan.json`,
  };
}

/** Names that sort in the order of their numbers. */
export function reportFileName(batch: number): string {
  return `${String(batch).padStart(8, '0')}.jsonl`;
}
