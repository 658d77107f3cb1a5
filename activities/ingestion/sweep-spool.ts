import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runFiles } from '../../domain/ingestion/run-files.ts';
import { systemErrorCode } from './system-error.ts';

const day = 24 * 3_600_000;
/** How long the list and the report of a run that has ended are kept. */
const endedMs = 7 * day;
/** A run that was terminated leaves its working files; one that stands still may go on. */
const unendedMs = 30 * day;
/** Looking through all runs takes time: once in a while is enough. */
const pauseMs = 3_600_000;

/** What a run that has ended has no more. */
const workingFolders = ['uploads', 'prepared', 'claims'];

/** Removes the files of runs long past. Safe beside other workers that do the same. */
export async function sweepSpool(spoolDir: string, now = Date.now()): Promise<void> {
  const runs = join(spoolDir, dirname(runFiles('any').folder));
  const mark = join(runs, '.swept');
  if (now - (await touchedAt(mark)) < pauseMs) return;
  await mkdir(runs, { recursive: true });
  await writeFile(mark, '');
  for (const entry of await readdir(runs, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(runs, entry.name);
    if (await isPast(folder, now)) await rm(folder, { recursive: true, force: true });
  }
}

async function isPast(folder: string, now: number): Promise<boolean> {
  const inside = await readdir(folder).catch(absentAs<string[]>([]));
  const ended = inside.includes('reports') && !workingFolders.some((name) => inside.includes(name));
  const touched = await Promise.all([folder, ...inside.map((name) => join(folder, name))].map(touchedAt));
  return now - Math.max(...touched) > (ended ? endedMs : unendedMs);
}

/** Milliseconds; 0 for what is not there. */
async function touchedAt(path: string): Promise<number> {
  return stat(path).then(({ mtimeMs }) => mtimeMs, absentAs(0));
}

function absentAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (systemErrorCode(error) === 'ENOENT') return value;
    throw error;
  };
}
