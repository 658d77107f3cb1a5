import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LauncherError, systemCode } from './errors.ts';
import { tryFileLock } from './file-lock.ts';
import { processMark } from './process-identity.ts';

const instanceSchema = z.object({
  pid: z.int().positive(),
  /** Where the running copy's API listens, once it does; null before. */
  address: z.string().nullable(),
  ports: z.array(z.int()),
});

export type Instance = z.infer<typeof instanceSchema>;

export type InstanceLock = {
  /** Tells other copies (and `doctor`) where this one listens. */
  announce: (where: { address: string | null; ports: number[] }) => void;
  /** Gives the data folder free; safe to call twice. */
  release: () => void;
};

/** Long enough to outlast the momentary lock of {@link runningInstance}. */
const patienceMs = 300;

/**
 * Makes this process the only copy that works in the data folder, until `release` or its death by whatever means.
 * @throws LauncherError `Instance.Running` with the pid and address of the copy that has it
 */
export function lockInstance(dataDir: string): InstanceLock {
  const lock = tryFileLock(lockFile(dataDir), { waitMs: patienceMs });
  if (lock === null) throw runningError(dataDir, readInstance(dataDir));
  const announce = (where: { address: string | null; ports: number[] }) => {
    const path = instanceFile(dataDir);
    writeFileSync(`${path}.new`, JSON.stringify({ pid: process.pid, ...where } satisfies Instance));
    renameSync(`${path}.new`, path);
  };
  announce({ address: null, ports: [] });
  let released = false;
  return {
    announce,
    release: () => {
      if (released) return;
      released = true;
      rmSync(instanceFile(dataDir), { force: true });
      lock.release();
    },
  };
}

/** The copy that holds the data folder now, or null. Its details are null in the instant before it has written them. */
export function runningInstance(dataDir: string): { details: Instance | null } | null {
  if (statSync(lockFile(dataDir), { throwIfNoEntry: false }) === undefined) return null;
  const lock = tryFileLock(lockFile(dataDir), { waitMs: 50 });
  if (lock === null) return { details: readInstance(dataDir) };
  lock.release();
  return null;
}

const lockFile = (dataDir: string) => join(dataDir, 'instance.lock');
const instanceFile = (dataDir: string) => join(dataDir, 'instance.json');

function runningError(dataDir: string, details: Instance | null): LauncherError {
  const who =
    details === null ? '' : ` (process ${details.pid}${details.address === null ? '' : `, ${details.address}`})`;
  return new LauncherError('Instance.Running', `Plumbline is already running in ${dataDir}${who}.`, {
    remedy: 'Use that copy, stop it first, or set PLUMBLINE_DATA_DIR and the ports for a second one.',
  });
}

function readInstance(dataDir: string): Instance | null {
  try {
    const details = instanceSchema.parse(JSON.parse(readFileSync(instanceFile(dataDir), 'utf8')));
    // Left by a killed copy when the new holder has not written its own yet.
    return processMark(details.pid) === null ? null : details;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
