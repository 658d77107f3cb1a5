import express from 'express';
import type { IndexPort } from '../adapters/index/port.ts';
import { healthRoutes } from '../api/health-routes.ts';
import { basics, sendError } from '../api/http-basics.ts';
import type { Closers } from './closers.ts';
import { listen } from './listen.ts';
import { workerPort } from './ports.ts';
import type { RunningWorker } from './run-worker.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

/**
 * `/health` and `/ready` of a worker process, as the API has them, where PLUMBLINE_WORKER_PORT says. Returns its address, or null without a port.
 * @throws LauncherError `Port.Taken`, `Port.NotAllowed`
 */
export async function serveWorkerHealth(
  settings: Settings,
  { worker, index, closers }: { worker: RunningWorker; index: IndexPort; closers: Closers },
): Promise<string | null> {
  const use = workerPort(settings);
  if (use === null) return null;
  const app = express();
  app.disable('x-powered-by');
  app.use(basics);
  const routes = healthRoutes({
    version,
    parts: {
      worker: async () => ({ ok: worker.isRunning(), detail: worker.isRunning() ? 'asks for work' : 'is stopping' }),
      temporal: async () => {
        await worker.connection.workflowService.getSystemInfo({});
        return { ok: true, detail: 'reachable' };
      },
      index: () => index.health(),
    },
  });
  app.use((req, res) => routes(req, res, (error: unknown) => sendError(error, res, reportToStderr)));
  return listen(app, { use, closers });
}

function reportToStderr(error: unknown, requestId: string): void {
  console.error(`request ${requestId} failed:`, error);
}
