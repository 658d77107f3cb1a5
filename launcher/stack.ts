import { join } from 'node:path';
import { loadPrincipals, type Principals } from '../api/principals.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { Adapters } from '../worker/adapters.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { allSettledOrThrow } from './all-settled.ts';
import { startApi } from './api-server.ts';
import { Closers } from './closers.ts';
import { prepareDataDir } from './data-dir.ts';
import { LauncherError } from './errors.ts';
import { lockInstance } from './instance-lock.ts';
import { openWorkerAdapters } from './open-adapters.ts';
import { tellMissingSearch } from './missing-search.ts';
import { openEvents } from './open-events.ts';
import { openPolicies, tellMissingModels } from './policies.ts';
import { portUses, requireFreePort } from './ports.ts';
import { tellEmbedding } from './provider-embedding.ts';
import { runWorker } from './run-worker.ts';
import { installRuntime, logFile } from './sdk-log.ts';
import { attributeTypes, registerSearchAttributes } from './search-attributes.ts';
import type { Settings } from './settings.ts';
import { spoolDirOf } from './spool-dir.ts';
import { superviseTemporal } from './supervised-temporal.ts';
import { ensureTemporalCli } from './temporal-binary.ts';
import { stopOrphanedTemporal } from './temporal-orphan.ts';

export interface Stack {
  apiUrl: string;
  uiUrl: string | null;
  plumbline: PlumblineClient;
  principals: Principals;
  adapters: Adapters;
  spoolDir: string;
  /** Settles when a part is lost for good. */
  lost: Promise<never>;
  stop(): Promise<void>;
}

/** Temporal, worker, API and index as one process with one child. On any failure, what had been started is closed again. */
export async function startStack(settings: Settings, say: (line: string) => void): Promise<Stack> {
  const closers = new Closers();
  try {
    return await start(settings, { closers, say });
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(
  settings: Settings,
  { closers, say }: { closers: Closers; say: (line: string) => void },
): Promise<Stack> {
  const { dataDir } = settings;
  requireNoBuild(settings);
  await tellMissingModels(settings, say);
  await tellMissingSearch(settings, say);
  await tellEmbedding(settings, say);
  const { logs } = prepareDataDir(dataDir);
  const lock = lockInstance(dataDir);
  closers.add('the lock', () => lock.release());
  if (await stopOrphanedTemporal(dataDir))
    say('Stopped a Temporal server that an earlier, killed run had left behind.');
  for (const use of portUses(settings)) await requireFreePort(use);

  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const log = logFile(logs);
  closers.add('the log', () => log.close());
  const [, adapters, bundle, policies, principals] = await allSettledOrThrow([
    startTemporal(settings, { closers, say, onLost: lost.reject }),
    openWorkerAdapters(settings, { closers, log: log.stream }),
    workflowBundle(join(dataDir, 'cache')),
    openPolicies(settings),
    loadPrincipals({ dataDir, file: settings.principalsPath }),
  ]);

  // Only now: once installed, the SDK's runtime keeps the process alive until its last connection has closed.
  installRuntime(log.stream);
  const events = await openEvents(settings, { closers, say });
  await runWorker(settings, { adapters, bundle, events, closers, onLost: lost.reject });
  const { index, evidence } = adapters;
  const { url, plumbline } = await startApi(settings, { events, index, evidence, policies, principals, closers });
  lock.announce({ address: url, ports: portUses(settings).map(({ port }) => port) });
  return {
    apiUrl: url,
    uiUrl: settings.temporal.uiUrl,
    plumbline,
    principals,
    adapters,
    spoolDir: spoolDirOf(settings),
    lost: lost.promise,
    stop: () => closers.closeAll(),
  };
}

/** The embedded server, or the external one made ready. */
async function startTemporal(
  settings: Settings,
  { closers, say, onLost }: { closers: Closers; say: (line: string) => void; onLost: (error: unknown) => void },
): Promise<void> {
  if (settings.temporal.external) return registerSearchAttributes(settings, { say });
  const cli = await ensureTemporalCli(settings);
  const temporal = await superviseTemporal(settings, { cli, searchAttributes: attributeTypes(), say, onLost });
  closers.add('the Temporal server', () => temporal.stop());
}

/** Here the worker of the build before has ended, and runs that are pinned to it would wait for it for ever. */
function requireNoBuild({ build }: Settings): void {
  if (build === null) return;
  throw new LauncherError('Settings.Invalid', '`plumbline up` has one worker, so it cannot keep builds apart.', {
    remedy:
      'Unset PLUMBLINE_BUILD_ID, or run `plumbline worker` and `plumbline api`, where builds can run side by side.',
  });
}
