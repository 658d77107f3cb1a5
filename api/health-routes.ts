import { Router } from 'express';
import type { IndexPort } from '../adapters/index/port.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { ApiError } from './errors.ts';
import { methodNotAllowed } from './http-basics.ts';

export interface PartHealth {
  ok: boolean;
  detail: string;
}

export type PartCheck = () => Promise<PartHealth>;

interface HealthRoutesOptions {
  version: string;
  parts: Record<string, PartCheck>;
}

const patienceMs = 3000;

/** `/health`: this process is alive. `/ready`: all parts that a question needs are there; 503 names the one that is not. */
export function healthRoutes({ version, parts }: HealthRoutesOptions): Router {
  const router = Router();
  router
    .route('/health')
    .get((_req, res) => void res.json({ status: 'ok', version }))
    .all(methodNotAllowed('GET'));
  router
    .route('/ready')
    .get(async (_req, res) => {
      const found = await Promise.all(
        Object.entries(parts).map(async ([name, check]) => [name, await checked(check)] as const),
      );
      const missing = found.filter(([, { ok }]) => !ok);
      if (missing.length === 0) return void res.json({ status: 'ready', parts: Object.fromEntries(found) });
      const detail = missing.map(([name, health]) => `${name}: ${health.detail}`).join('; ');
      throw new ApiError('Ready.NotReady', detail, {
        headers: { 'Retry-After': '5' },
        members: { parts: Object.fromEntries(found) },
      });
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** The parts that every question needs. */
export function questionParts(plumbline: PlumblineClient, index: IndexPort): Record<string, PartCheck> {
  return {
    temporal: async () => {
      await plumbline.workersPolling();
      return { ok: true, detail: 'reachable' };
    },
    worker: async () =>
      (await plumbline.workersPolling())
        ? { ok: true, detail: 'asks for work' }
        : { ok: false, detail: 'no worker has asked for work in the last minute; start one' },
    index: () => index.health(),
  };
}

/** A check that throws or takes too long is a part that is not there. */
async function checked(check: PartCheck): Promise<PartHealth> {
  const { promise: tooLate, resolve } = Promise.withResolvers<PartHealth>();
  const timer = setTimeout(() => resolve({ ok: false, detail: `no answer within ${patienceMs / 1000} s` }), patienceMs);
  const found = check().catch((error: unknown) => ({
    ok: false,
    detail: error instanceof Error ? error.message : String(error),
  }));
  try {
    return await Promise.race([found, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
