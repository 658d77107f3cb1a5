import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { listSourceFiles } from '../../../adapters/sources/list-source-files.ts';
import type { SyncOptions } from '../../../domain/contracts/sync.ts';
import { fileKey } from '../../../domain/ingestion/sync-plan.ts';
import type { FolderScan } from '../../../domain/ingestion/sync-plan.ts';
import { writeWhole } from '../atomic-write.ts';
import { alive } from '../heartbeat.ts';
import { filesOf } from '../run.ts';
import type { IngestionDeps, RunRef } from '../run.ts';
import { systemErrorCode } from '../system-error.ts';
import { lostMounts, mountPointsOf } from './mounts.ts';
import { readSyncState } from './sync-state.ts';

interface ScanInput {
  /** The run that is to take the files in. */
  run: RunRef;
  folder: string;
  options: Pick<SyncOptions, 'prefix' | 'overrides'>;
}

export interface ScanResult {
  files: number;
  /** The list of files for the run. */
  manifest: string;
  unreadable: string[];
  unreadableCount: number;
}

/** What removing needs to know of the folder; kept with the run's files. */
export interface StoredScan extends FolderScan {
  mounts: string[];
}

const shownPlaces = 20;

/** Lists a folder for a run. @throws ApplicationFailure `Sync.FolderUnavailable`: then nothing is known of its files, and none counts as deleted. */
export function createScanFolder({ spoolDir }: Pick<IngestionDeps, 'spoolDir'>) {
  return ({ run, folder, options }: ScanInput): Promise<ScanResult> =>
    alive(async (signal) => {
      await checkFolder(folder);
      const root = resolve(folder);
      const listing = await listSourceFiles([root], { overrides: options.overrides });
      signal.throwIfAborted();
      const unreadable = listing.skipped
        .filter(({ reason }) => reason === 'unreadable' || reason === 'not_found' || reason === 'no_match')
        .map(({ path }) => relative(root, path).split(sep).join('/'));
      const names = listing.files.map(({ name }) => name);
      const state = await readSyncState({ tenant: run.tenant, folder }, spoolDir);
      const lost = await lostMounts(root, state.mounts, names);
      if (lost.includes('')) throw unavailable(folder, 'the file system that was mounted there is not mounted now');
      // The empty name is the folder itself, which may have gone just now.
      if (unreadable.includes('')) throw unavailable(folder, 'it cannot be listed');

      const named = (name: string) => (options.prefix === '' ? name : `${options.prefix}/${name}`);
      const away = [...unreadable, ...lost];
      const scan: StoredScan = {
        names: names.map((name) => fileKey(named(name))),
        away: away.map((name) => fileKey(named(name))),
        mounts: [...new Set([...lost, ...(await mountPointsOf(root, names))])],
      };
      const { manifest, scan: scanFile } = filesOf(run, spoolDir);
      await writeWhole(scanFile, JSON.stringify(scan));
      const lines = listing.files.map((file) => `${JSON.stringify({ ...file, name: named(file.name) })}\n`);
      await writeWhole(manifest, lines.join(''));
      return { files: names.length, manifest, unreadable: away.slice(0, shownPlaces), unreadableCount: away.length };
    });
}

export async function readScan(run: RunRef, spoolDir: string): Promise<StoredScan> {
  return JSON.parse(await readFile(filesOf(run, spoolDir).scan, 'utf8')) as StoredScan;
}

async function checkFolder(folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw unavailable(folder, 'its path is not absolute');
  try {
    if (!(await stat(folder)).isDirectory()) throw unavailable(folder, 'it is no folder');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    throw unavailable(folder, code === 'ENOENT' ? 'it is not there' : `it cannot be read (${code})`);
  }
}

/** Not retried: the folder's next turn is the retry. */
function unavailable(folder: string, why: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Sync.FolderUnavailable',
    message: `the folder ${folder} is unavailable: ${why}; nothing was changed`,
    nonRetryable: true,
  });
}
