import type { DocumentReport } from '../contracts/ingestion.ts';
import type { SyncCounts } from '../contracts/sync.ts';

/** A document that a folder's synchronisations have taken in. */
export interface SyncedDocument {
  /** Of its file, as `fileKey` gives it. */
  name: string;
  /** The run that took it in first. */
  since: string;
}

/** What a folder holds, as `fileKey` gives it. */
export interface FolderScan {
  names: string[];
  /** Files, and folders with all below them, that could not be looked at: nothing is known of what is there. */
  away: string[];
}

interface SyncFacts {
  /** Of the same run as before; known documents by their ids. */
  run: string;
  documents: ReadonlyMap<string, SyncedDocument>;
  scan: FolderScan;
  reports: readonly DocumentReport[];
}

export interface SyncPlan {
  counts: SyncCounts;
  /** Documents that are in the index now, with the names of their files. */
  taken: Map<string, string>;
  /** Known documents whose files are gone. */
  vanished: string[];
}

/** Reports cut names at this length. */
const longestKey = 300;

export function fileKey(name: string): string {
  return name.slice(0, longestKey);
}

/**
 * What a run means for the documents known before. Whatever is in doubt stays: a document is only gone when its file was looked for in a
 * place that could be read, or when its file was taken in under another id; and never when a file of this run bears its id.
 */
export function planSync({ run, documents, scan, reports }: SyncFacts): SyncPlan {
  const counts: SyncCounts = { added: 0, changed: 0, unchanged: 0, failed: 0 };
  const taken = new Map<string, string>();
  const failed = new Set<string>();
  for (const { state, documentId, name } of reports) {
    if (state === 'failed') {
      counts.failed++;
      failed.add(name);
      continue;
    }
    taken.set(documentId, name);
    const known = documents.get(documentId);
    if (state === 'unchanged') counts.unchanged++;
    else if (known === undefined || known.since === run) counts.added++;
    else counts.changed++;
  }
  const borne = new Set(reports.map(({ documentId }) => documentId));
  const listed = new Set(scan.names);
  const takenNames = new Set(taken.values());
  const goneFrom = (name: string) => {
    if (scan.away.some((place) => name === place || name.startsWith(fileKey(`${place}/`)))) return false;
    return !listed.has(name) || (takenNames.has(name) && !failed.has(name));
  };
  const vanished = [...documents].filter(([id, { name }]) => !borne.has(id) && goneFrom(name)).map(([id]) => id);
  return { counts, taken, vanished };
}
