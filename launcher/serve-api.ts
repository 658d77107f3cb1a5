import { loadPrincipals } from '../api/principals.ts';
import { allSettledOrThrow } from './all-settled.ts';
import { startApi } from './api-server.ts';
import type { Closers } from './closers.ts';
import { prepareDataDir } from './data-dir.ts';
import { LauncherError } from './errors.ts';
import { lockInstance } from './instance-lock.ts';
import { openApiStores } from './open-adapters.ts';
import { openEvents } from './open-events.ts';
import { openPolicies } from './policies.ts';
import { apiPort, requireFreePort } from './ports.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { requireTemporalAddress, serve, type Half } from './serve.ts';

/** `plumbline api`: the HTTP API alone; workers are elsewhere. Resolves to the exit code. */
export function serveApi(): Promise<number> {
  return serve(startApiAlone);
}

async function startApiAlone({ settings, say, closers, signal }: Half): Promise<void> {
  requireTemporalAddress(settings, 'api');
  const { dataDir } = settings;
  prepareDataDir(dataDir);
  const use = apiPort(settings);
  await requireFreePort(use);
  const announce = announcer(dataDir, closers);
  const [, stores, policies, principals] = await allSettledOrThrow([
    registerSearchAttributes(settings, { say, signal }),
    openApiStores(settings, closers),
    openPolicies(settings),
    loadPrincipals({ dataDir, file: settings.principalsPath }),
  ]);
  const events = await openEvents(settings, { closers, say });
  const { url } = await startApi(settings, { ...stores, events, policies, principals, closers });
  announce(url);
  const { address, namespace } = settings.temporal;
  say(`Plumbline serves on ${url}. Temporal: ${address}, namespace ${namespace}. Index: ${stores.index.kind}.`);
}

/** The first API in a data folder is the one that commands on this machine talk to; further ones, on other ports, serve beside it. */
function announcer(dataDir: string, closers: Closers): (url: string) => void {
  try {
    const lock = lockInstance(dataDir);
    closers.add('the lock', () => lock.release());
    return (url) => lock.announce({ address: url, ports: [Number(new URL(url).port)] });
  } catch (error) {
    if (error instanceof LauncherError && error.code === 'Instance.Running') return () => undefined;
    throw error;
  }
}
