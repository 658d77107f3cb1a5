import { NativeConnection } from '@temporalio/worker';
import type { EventsPort } from '../adapters/store/port.ts';
import type { Adapters } from '../worker/adapters.ts';
import { createWorker } from '../worker/create-worker.ts';
import type { Closers } from './closers.ts';
import type { Settings } from './settings.ts';
import { spoolDirOf } from './spool-dir.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';

export interface RunningWorker {
  /** False once it has failed or is being stopped. */
  isRunning(): boolean;
  connection: NativeConnection;
}

/** Connects a worker and lets it run until the closers stop it; `onLost` gets the error that ended it before. */
export async function runWorker(
  settings: Settings,
  options: {
    adapters: Adapters;
    bundle: { code: string };
    events: EventsPort;
    closers: Closers;
    onLost: (error: unknown) => void;
  },
): Promise<RunningWorker> {
  const connection = await NativeConnection.connect(temporalConnectionOptions(settings));
  options.closers.add('the worker connection', () => connection.close());
  const { namespace } = settings.temporal;
  const worker = await createWorker({ ...options, connection, namespace, spoolDir: spoolDirOf(settings) });
  const run = worker.run();
  run.catch(options.onLost);
  options.closers.add('the worker', async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    // A worker that failed has told so through `onLost`.
    await run.catch(() => undefined);
  });
  return { isRunning: () => worker.getState() === 'RUNNING', connection };
}
