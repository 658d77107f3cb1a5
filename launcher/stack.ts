import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { EventsPort } from '../adapters/store/port.ts';
import { createInProcessEvents } from '../adapters/store/in-process-events.ts';
import { createApi } from '../api/app.ts';
import { loadPrincipals, type Principals } from '../api/principals.ts';
import { PlumblineClient } from '../client/plumbline-client.ts';
import { loadPolicies } from '../policies/load.ts';
import { openAdapters, type Adapters } from '../worker/adapters.ts';
import { createWorker } from '../worker/create-worker.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { Closers } from './closers.ts';
import { prepareDataDir } from './data-dir.ts';
import { ensureEmbeddingModel } from './embedding-model.ts';
import { lockInstance } from './instance-lock.ts';
import { portError, portUses, requireFreePort } from './ports.ts';
import { installRuntime } from './sdk-log.ts';
import type { Settings } from './settings.ts';
import { superviseTemporal } from './supervised-temporal.ts';
import { ensureTemporalCli } from './temporal-binary.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';
import { stopOrphanedTemporal } from './temporal-orphan.ts';
import { version } from './version.ts';

/** How long open requests and event streams may take to end by themselves when the API closes. */
const lastWordsMs = 1000;

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
  const { logs } = prepareDataDir(dataDir);
  const lock = lockInstance(dataDir);
  closers.add('the lock', () => lock.release());
  if (await stopOrphanedTemporal(dataDir))
    say('Stopped a Temporal server that an earlier, killed run had left behind.');
  for (const use of portUses(settings)) await requireFreePort(use);

  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const runtime = installRuntime(logs);
  closers.add('the log', () => runtime.close());
  const startTemporal = async () => {
    if (settings.temporal.external) return;
    const cli = await ensureTemporalCli(settings);
    const temporal = await superviseTemporal(settings, {
      cli,
      searchAttributes: attributeTypes(),
      say,
      onLost: lost.reject,
    });
    closers.add('the Temporal server', () => temporal.stop());
  };
  const openParts = async () => {
    const embeddingModel = await ensureEmbeddingModel(settings);
    const adapters = await openAdapters({
      index: { kind: 'embedded', file: join(dataDir, 'index.db') },
      embeddingModel,
    });
    closers.add('the adapters', () => adapters.close());
    return adapters;
  };
  const [, adapters, bundle, policies, principals] = await allSettledOrThrow([
    startTemporal(),
    openParts(),
    workflowBundle(join(dataDir, 'cache')),
    loadPolicies(),
    loadPrincipals({ dataDir, file: settings.principalsPath }),
  ]);

  const events = createInProcessEvents();
  closers.add('the events', () => events.close());
  const spoolDir = join(dataDir, 'spool');
  await startWorker(settings, { adapters, bundle, events, spoolDir, closers, onLost: lost.reject });
  const client = await connectClient(settings, closers);
  const uiUrl = settings.temporal.external ? null : `http://127.0.0.1:${settings.temporal.uiPort}`;
  const plumbline = new PlumblineClient({ client, policies, uiUrl });
  const api = createApi({ plumbline, events, index: adapters.index, principals, version });
  const apiUrl = await listen(createServer(api), { settings, closers });
  lock.announce({ address: apiUrl, ports: portUses(settings).map(({ port }) => port) });
  return {
    apiUrl,
    uiUrl,
    plumbline,
    principals,
    adapters,
    spoolDir,
    lost: lost.promise,
    stop: () => closers.closeAll(),
  };
}

async function startWorker(
  settings: Settings,
  options: {
    adapters: Adapters;
    bundle: { code: string };
    events: EventsPort;
    spoolDir: string;
    closers: Closers;
    onLost: (error: unknown) => void;
  },
): Promise<void> {
  const connection = await NativeConnection.connect(temporalConnectionOptions(settings));
  options.closers.add('the worker connection', () => connection.close());
  const worker: Worker = await createWorker({ ...options, connection, namespace: settings.temporal.namespace });
  const run = worker.run();
  run.catch(options.onLost);
  options.closers.add('the worker', async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    // A worker that failed has told so through `onLost`.
    await run.catch(() => undefined);
  });
}

async function connectClient(settings: Settings, closers: Closers): Promise<Client> {
  const connection = await Connection.connect(temporalConnectionOptions(settings));
  closers.add('the client connection', () => connection.close());
  return new Client({ connection, namespace: settings.temporal.namespace });
}

async function listen(
  server: Server,
  { settings, closers }: { settings: Settings; closers: Closers },
): Promise<string> {
  const { host, port } = settings;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const [use] = portUses(settings);
      reject(use ? portError(use, error) : error);
    });
    server.listen(port, host, resolve);
  });
  closers.add('the API', async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const cut = setTimeout(() => server.closeAllConnections(), lastWordsMs);
    await closed;
    clearTimeout(cut);
  });
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

function attributeTypes(): Record<string, 'Keyword'> {
  return Object.fromEntries(Object.values(searchAttributes).map(({ name }) => [name, 'Keyword' as const]));
}

/** Like Promise.all, but waits for all before it throws, so that whatever was still starting has been put on the list of things to close. */
async function allSettledOrThrow<T extends readonly unknown[]>(parts: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(parts);
  return Promise.all(parts) as unknown as Promise<T>;
}
