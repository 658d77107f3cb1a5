import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { writeWhole } from '../atomic-write.ts';
import { hashText } from '../hash.ts';
import { systemErrorCode } from '../system-error.ts';

/** Which folder of which tenant is kept in sync. */
export interface SyncRef {
  tenant: string;
  folder: string;
}

const storedSchema = z.object({
  folder: z.string(),
  /** The run of the last synchronisation that went through. */
  run: z.string().nullable(),
  /** Folders at which another file system began, relative to the folder. */
  mounts: z.array(z.string()),
  documents: z.record(z.string(), z.object({ name: z.string(), since: z.string() })),
});

/** What the synchronisations of a folder have taken in so far. */
export type SyncState = Omit<z.infer<typeof storedSchema>, 'folder' | 'documents'> & {
  documents: Map<string, { name: string; since: string }>;
};

/** Empty for a folder that was never synchronised. @throws ApplicationFailure `Sync.BadState` */
export async function readSyncState(sync: SyncRef, spoolDir: string): Promise<SyncState> {
  return (await readStateFile(stateFile(sync, spoolDir))) ?? { run: null, mounts: [], documents: new Map() };
}

export function writeSyncState(sync: SyncRef, state: SyncState, spoolDir: string): Promise<void> {
  const stored = { folder: sync.folder, ...state, documents: Object.fromEntries(state.documents) };
  return writeWhole(stateFile(sync, spoolDir), JSON.stringify(stored));
}

/** Ids of the documents that other folders of the tenant have taken in. @throws ApplicationFailure `Sync.BadState` */
export async function idsOfOtherFolders(sync: SyncRef, spoolDir: string): Promise<Set<string>> {
  const own = stateFile(sync, spoolDir);
  const names = await readdir(dirname(own)).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const ids = new Set<string>();
  for (const name of names) {
    if (!name.endsWith('.json') || name === basename(own)) continue;
    const state = await readStateFile(join(dirname(own), name));
    for (const id of state?.documents.keys() ?? []) ids.add(id);
  }
  return ids;
}

function stateFile({ tenant, folder }: SyncRef, spoolDir: string): string {
  return join(spoolDir, 'syncs', hashText(tenant).slice(0, 32), `${hashText(folder).slice(0, 32)}.json`);
}

async function readStateFile(path: string): Promise<SyncState | null> {
  const stored = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (stored === null) return null;
  const { folder: _, ...state } = parse(stored);
  return { ...state, documents: new Map(Object.entries(state.documents)) };
}

function parse(stored: string): z.infer<typeof storedSchema> {
  try {
    return storedSchema.parse(JSON.parse(stored));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw ApplicationFailure.create({
      type: 'Sync.BadState',
      message:
        'what is noted of a synchronised folder in the data folder (spool/syncs) is damaged; nothing was deleted',
      nonRetryable: true,
    });
  }
}
