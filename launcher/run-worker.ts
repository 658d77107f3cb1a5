import { NativeConnection } from '@temporalio/worker';
import { sweepSpool } from '../activities/ingestion/sweep-spool.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import type { Adapters } from '../worker/adapters.ts';
import { createWorkers } from '../worker/create-worker.ts';
import type { Closers } from './closers.ts';
import type { Settings } from './settings.ts';
import { spoolDirOf } from './spool-dir.ts';
import { sweepRegularly } from './sweep-regularly.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';

export interface RunningWorker {
  /** False once it has failed or is being stopped. */
  isRunning(): boolean;
  connection: NativeConnection;
}

/** Connects the workers and lets them run until the closers stop them; `onLost` gets the error that ended one before. */
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
  const { closers } = options;
  closers.add('the worker connection', () => connection.close());
  const { namespace } = settings.temporal;
  const { webPerSecond } = settings.web;
  const spoolDir = spoolDirOf(settings);
  const { build } = settings;
  const workers = await createWorkers({ ...options, connection, namespace, spoolDir, webPerSecond, build });
  const runs = workers.map((worker) => worker.run());
  for (const run of runs) run.catch(options.onLost);
  closers.add('the worker', async () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    // A worker that failed has told so through `onLost`.
    await Promise.allSettled(runs);
  });
  closers.add(
    'the sweeping',
    sweepRegularly([
      // Not given out any more, swept or not.
      { what: 'expired evidence', sweep: () => options.adapters.evidence.sweep() },
      { what: 'files of runs long past', sweep: () => sweepSpool(spoolDir) },
    ]),
  );
  return { isRunning: () => workers.every((worker) => worker.getState() === 'RUNNING'), connection };
}
