import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256OfFile } from '../../launcher/checksum.ts';
import { tryFileLock } from '../../launcher/file-lock.ts';
import type { FileLock } from '../../launcher/file-lock.ts';
import { findOnPath } from './find-jdk.ts';
import type { Jdk } from './find-jdk.ts';

const SOURCES = join(import.meta.dirname, 'server');
const SOURCE_FILES = ['pom.xml', 'checksums.json', 'src/**/*.*'];
const LOCK_RETRY_MS = 200;
const PROGRESS_EVERY_MS = 2_000;
const MEGABYTES: Record<string, number> = { B: 1e-6, kB: 1e-3, MB: 1 };

export const NO_MAVEN =
  'Maven, which assembles the Elasticsearch for tests, is not on PATH: install it (apt-get install maven, brew install maven).';

/** Tells a person what the build does; one short sentence a call. */
export type Progress = (message: string) => void;

/** Where this version of the server is kept: a folder named by the content of its sources, outside of the work tree. */
export function serverHome(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCE_FILES, { cwd: SOURCES }).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(SOURCES, file)))
      .update('\0');
  }
  return join(cacheFolder(), `elasticsearch-${hash.digest('hex').slice(0, 16)}`);
}

/**
 * Assembles the server with Maven unless it is in the cache, and returns its folder. The folder appears in one step, after
 * the checksums of its main artifacts held; of several processes one builds and the others wait.
 *
 * @throws Error with the remedy when Maven is missing, the build fails or a checksum differs
 */
export async function buildServerHome(jdk: Jdk, progress: Progress): Promise<string> {
  const home = serverHome();
  if (existsSync(home)) return home;
  await mkdir(cacheFolder(), { recursive: true });
  const lock = await waitForLock(`${home}.lock`);
  try {
    if (!existsSync(home)) await assemble({ jdk, home, progress });
    return home;
  } finally {
    lock.release();
  }
}

async function waitForLock(file: string): Promise<FileLock> {
  for (;;) {
    const lock = tryFileLock(file);
    if (lock) return lock;
    await sleep(LOCK_RETRY_MS);
  }
}

async function assemble({ jdk, home, progress }: { jdk: Jdk; home: string; progress: Progress }): Promise<void> {
  const build = await mkdtemp(`${home}.building-`);
  try {
    for (const file of globSync(SOURCE_FILES, { cwd: SOURCES })) await cp(join(SOURCES, file), join(build, file));
    await runMaven({ jdk, build, log: `${home}.log`, progress });
    const assembled = join(build, 'target', 'home');
    const pinned = await readFile(join(SOURCES, 'checksums.json'), 'utf8');
    await verifyChecksums(assembled, JSON.parse(pinned) as Record<string, string>);
    await rename(assembled, home);
  } finally {
    await rm(build, { recursive: true, force: true });
  }
}

function cacheFolder(): string {
  return process.env.PLUMBLINE_CACHE_DIR ?? join(homedir(), '.cache', 'plumbline');
}

async function runMaven(options: { jdk: Jdk; build: string; log: string; progress: Progress }): Promise<void> {
  const maven = findOnPath('mvn');
  if (!maven) throw new Error(NO_MAVEN);
  options.progress('assembling Elasticsearch with Maven, once (55 MB to download)');
  const log = await open(options.log, 'w');
  try {
    const child = spawn(maven, ['--batch-mode', '--strict-checksums', 'package'], {
      cwd: options.build,
      env: { ...process.env, JAVA_HOME: options.jdk.home },
      stdio: ['ignore', 'pipe', log.fd],
    }) as ChildProcessByStdio<null, Readable, null>;
    const ended = once(child, 'close');
    let files = 0;
    let megabytes = 0;
    let told = Date.now();
    for await (const line of createInterface({ input: child.stdout })) {
      await log.write(`${line}\n`);
      const size = /Downloaded from .* \(([\d.]+) (B|kB|MB) at/.exec(line);
      if (!size) continue;
      files += 1;
      megabytes += Number(size[1]) * (MEGABYTES[size[2] ?? ''] ?? 0);
      if (Date.now() - told < PROGRESS_EVERY_MS) continue;
      told = Date.now();
      options.progress(`downloaded ${files} files, ${megabytes.toFixed(0)} MB`);
    }
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(await describeFailure(options.log, code));
    options.progress('assembled Elasticsearch');
  } finally {
    await log.close();
  }
}

async function describeFailure(log: string, code: number | null): Promise<string> {
  const errors = (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith('[ERROR]'));
  const reason = errors.slice(0, 5).join('\n') || 'Maven printed no error.';
  return `Maven could not assemble Elasticsearch (exit code ${code}). It needs its central repository, or a mirror in ~/.m2/settings.xml, once.\n${reason}\nThe whole log: ${log}`;
}

/** @throws Error when a file of `folder` has another SHA-256 than `pinned` says */
export async function verifyChecksums(folder: string, pinned: Record<string, string>): Promise<void> {
  for (const [file, sha256] of Object.entries(pinned)) {
    const actual = await sha256OfFile(join(folder, file));
    if (actual !== sha256) {
      throw new Error(
        `${file} has the SHA-256 ${actual} instead of ${sha256}: delete it from Maven's local repository and try again.`,
      );
    }
  }
}
