import type { WorkerDeploymentVersion } from '@temporalio/common';
import { Worker, type InjectedSinks, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { EventsPort } from '../adapters/store/port.ts';
import { createAnswerActivities, type AnswerActivities } from '../activities/index.ts';
import { createIngestionActivities } from '../activities/ingestion/index.ts';
import { createLearningActivities } from '../activities/learning.ts';
import { createRenderPages } from '../activities/render-pages.ts';
import type { EventSinks } from '../workflows/answer/state.ts';
import { browserQueueOf, defaultTaskQueue, webQueueOf } from '../workflows/messages.ts';
import type { Adapters } from './adapters.ts';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  bundle: { code: string };
  adapters: Adapters;
  events: EventsPort;
  /** Where ingestions keep their lists, prepared texts and reports; shared with whoever starts them. */
  spoolDir: string;
  /** Web searches that all workers together begin in a second. */
  webPerSecond: number;
  /** What these workers are a build of; null: unversioned. */
  build: WorkerDeploymentVersion | null;
}

/** More than run at once on one machine; those that wait for a person are read back from their history when somebody decides. */
const maxCachedWorkflows = 150;

/** Running steps get 30 s to finish when a worker is shut down. */
const common = {
  // A cancellation reaches a step with the answer to its heartbeat.
  maxHeartbeatThrottleInterval: '1s',
  shutdownGraceTime: '30s',
  shutdownForceTime: '45s',
} as const;

/** A worker for all workflows and steps, and one for web searches, whose queue has a rate. */
export function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { connection, namespace } = options;
  const {
    searchWeb,
    renderPages: _,
    ...activities
  } = createAnswerActivities({ ...options.adapters, events: options.events, spoolDir: options.spoolDir });
  const main = mainWorker(options, activities);
  const web = Worker.create({
    ...common,
    ...versioned(options.build),
    connection,
    namespace,
    taskQueue: webQueueOf(defaultTaskQueue),
    activities: { searchWeb },
    maxTaskQueueActivitiesPerSecond: options.webPerSecond,
  });
  return Promise.all([main, web]);
}

/**
 * A worker for pages that need a browser, and for nothing else: few at once, since each has a browser of its own. It has no build, and so serves
 * the runs of all.
 */
export function createBrowserWorker({
  connection,
  namespace,
  adapters,
}: Pick<WorkersOptions, 'connection' | 'namespace' | 'adapters'>): Promise<Worker> {
  return Worker.create({
    ...common,
    connection,
    namespace,
    taskQueue: browserQueueOf(defaultTaskQueue),
    activities: { renderPages: createRenderPages(adapters) },
    maxConcurrentActivityTaskExecutions: 2,
  });
}

function mainWorker(
  options: WorkersOptions,
  activities: Omit<AnswerActivities, 'searchWeb' | 'renderPages'>,
): Promise<Worker> {
  const sinks: InjectedSinks<EventSinks> = {
    events: {
      publish: { fn: ({ workflowId }, event) => options.events.publish(workflowId, event), callDuringReplay: false },
    },
  };
  return Worker.create({
    ...common,
    ...versioned(options.build),
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: defaultTaskQueue,
    workflowBundle: options.bundle,
    maxCachedWorkflows,
    activities: {
      ...activities,
      ...createIngestionActivities({ ...options.adapters, spoolDir: options.spoolDir }),
      ...createLearningActivities({ ...options.adapters, spoolDir: options.spoolDir }),
    },
    sinks,
  });
}

/** What workflows/versioning.ts does not pin moves to the newest build (docs/decisions/0015). */
export function versioned(version: WorkerDeploymentVersion | null): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === null) return {};
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' },
  };
}
