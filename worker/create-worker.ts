import { Worker, type InjectedSinks, type NativeConnection } from '@temporalio/worker';
import type { EventsPort } from '../adapters/store/port.ts';
import { createAnswerActivities } from '../activities/index.ts';
import { createIngestionActivities } from '../activities/ingestion/index.ts';
import type { EventSinks } from '../workflows/answer/state.ts';
import { defaultTaskQueue } from '../workflows/messages.ts';
import type { Adapters } from './adapters.ts';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  bundle: { code: string };
  adapters: Adapters;
  events: EventsPort;
  /** Where ingestions keep their lists, prepared texts and reports; shared with whoever starts them. */
  spoolDir: string;
}

/** A worker for all workflows and steps. Running steps get 30 s to finish when it is shut down. */
export function createWorker(options: WorkerOptions): Promise<Worker> {
  const sinks: InjectedSinks<EventSinks> = {
    events: {
      publish: { fn: ({ workflowId }, event) => options.events.publish(workflowId, event), callDuringReplay: false },
    },
  };
  return Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: defaultTaskQueue,
    workflowBundle: options.bundle,
    activities: {
      ...createAnswerActivities(options.adapters),
      ...createIngestionActivities({ ...options.adapters, spoolDir: options.spoolDir }),
    },
    sinks,
    shutdownGraceTime: '30s',
    shutdownForceTime: '45s',
  });
}
