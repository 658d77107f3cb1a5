import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { ReplayReport } from '../domain/contracts/replay.ts';
import type { Settings } from './settings.ts';

/**
 * Replays histories against the workflows of this copy: as the SDK fetches them, or parsed from JSON. The first call loads the SDK's worker and
 * bundles the workflows, which takes seconds.
 */
export type Replayer = (given: unknown, run?: { workflowId: string; runId: string }) => Promise<ReplayReport>;

/** `log`: where the SDK tells what it finds while replaying; nowhere without it. Rejects with HistoryError. */
export function createReplayer(settings: Settings, log: Writable = nowhere()): Replayer {
  let bundle: Promise<{ code: string }> | null = null;
  return async (given, run) => {
    const { recordedRun, replayHistory } = await import('../worker/replay.ts');
    const recorded = { ...recordedRun(given), ...run };
    bundle ??= bundled(settings).catch((error: unknown) => {
      bundle = null;
      throw error;
    });
    const workflows = await bundle;
    // Only now: once installed, the SDK's runtime keeps the process alive until its last worker has ended.
    const { ensureRuntime } = await import('./sdk-log.ts');
    ensureRuntime(log);
    return replayHistory(recorded, workflows);
  };
}

/** For the API: fetches the history of a run, and replays it. */
export function replayOf(
  plumbline: PlumblineClient,
  replayer: Replayer,
): (workflowId: string, runId: string) => Promise<ReplayReport> {
  return async (workflowId, runId) => replayer(await plumbline.history(workflowId, runId), { workflowId, runId });
}

async function bundled({ dataDir }: Settings): Promise<{ code: string }> {
  const { workflowBundle } = await import('../worker/workflow-bundle.ts');
  return workflowBundle(join(dataDir, 'cache'));
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
