import { join } from 'node:path';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { allSettledOrThrow } from './all-settled.ts';
import type { WorkerBuild } from './build-settings.ts';
import { prepareDataDir } from './data-dir.ts';
import { openWorkerAdapters } from './open-adapters.ts';
import { tellMissingSearch } from './missing-search.ts';
import { openEvents } from './open-events.ts';
import { tellMissingModels } from './policies.ts';
import { tellEmbedding } from './provider-embedding.ts';
import { runWorker } from './run-worker.ts';
import { installRuntime } from './sdk-log.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { requireTemporalAddress, serve, type Half } from './serve.ts';
import { serveWorkerHealth } from './worker-health.ts';

/** `plumbline worker`: runs the steps of questions and ingestions; many may share one Temporal, index and data folder. Resolves to the exit code. */
export function serveWorker(): Promise<number> {
  return serve(startWorker);
}

async function startWorker({ settings, say, closers, signal, onLost }: Half): Promise<void> {
  requireTemporalAddress(settings, 'worker');
  await tellMissingModels(settings, say);
  await tellMissingSearch(settings, say);
  await tellEmbedding(settings, say);
  prepareDataDir(settings.dataDir);
  installRuntime(process.stderr);
  const [, adapters, bundle] = await allSettledOrThrow([
    registerSearchAttributes(settings, { say, signal }),
    openWorkerAdapters(settings, { closers, log: process.stderr }),
    workflowBundle(join(settings.dataDir, 'cache')),
  ]);
  const events = await openEvents(settings, { closers, say });
  const worker = await runWorker(settings, { adapters, bundle, events, closers, onLost });
  const health = await serveWorkerHealth(settings, { worker, index: adapters.index, closers });
  const { address, namespace } = settings.temporal;
  const at = health === null ? '' : ` Health: ${health}/ready.`;
  if (settings.build !== null) tellBuild(settings.build, say);
  say(`The worker asks Temporal at ${address}, namespace ${namespace}, for work. Index: ${adapters.index.kind}.${at}`);
}

/** A build gets no run until somebody makes it the current one. */
function tellBuild({ deploymentName, buildId }: WorkerBuild, say: (line: string) => void): void {
  say(
    `The worker is build ${buildId} of the deployment ${deploymentName}. It gets new runs once it is the current one:`,
  );
  say(`  temporal worker deployment set-current-version --deployment-name ${deploymentName} --build-id ${buildId}`);
}
