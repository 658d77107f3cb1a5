import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCode } from './errors.ts';
import { endProcess, processMark } from './process-identity.ts';

const noteSchema = z.object({ pid: z.int().positive(), mark: z.string() });

const noteFile = (dataDir: string) => join(dataDir, 'temporal.pid');

/** Notes the Temporal server just started, so that the next start finds it if we are killed. Synchronous on purpose. */
export function noteTemporalProcess(dataDir: string, pid: number): string | null {
  const mark = processMark(pid);
  if (mark === null) return null;
  const path = noteFile(dataDir);
  writeFileSync(`${path}.new`, JSON.stringify({ pid, mark }));
  renameSync(`${path}.new`, path);
  return mark;
}

export function forgetTemporalProcess(dataDir: string): void {
  rmSync(noteFile(dataDir), { force: true });
}

/**
 * Stops a Temporal server that a killed run of Plumbline left behind in this data folder. Call it only while holding the folder's lock.
 * A process that merely got the same pid is left alone.
 * @returns the pid of the server that was stopped, or null when there was none
 */
export async function stopOrphanedTemporal(dataDir: string, graceMs = 10_000): Promise<number | null> {
  const note = readNote(dataDir);
  if (note === null) return null;
  const outcome = await endProcess(note.pid, note.mark, graceMs);
  forgetTemporalProcess(dataDir);
  return outcome === 'absent' ? null : note.pid;
}

function readNote(dataDir: string): z.infer<typeof noteSchema> | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(noteFile(dataDir), 'utf8')));
  } catch (error) {
    // No note, or one that was cut short by a power cut, in which case the process is gone too.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
