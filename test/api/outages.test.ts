import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiHouse, type ApiHouse } from './api-house.ts';
import { readSse } from './sse.ts';

let house: ApiHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const ready = async () => {
  const response = await house.request('/ready', { token: null });
  return {
    status: response.status,
    body: (await response.json()) as { detail?: string; parts: Record<string, { ok: boolean }> },
  };
};

describe('/ready', () => {
  test('is 200 when Temporal, a worker and the index are there', async () => {
    for (let tries = 0; (await ready()).status !== 200 && tries < 50; tries++) await sleep(100);
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'ready', parts: { temporal: { ok: true }, worker: { ok: true }, index: { ok: true } } },
    });
  });

  test('is 503 and names the index when the index is not well', async () => {
    Object.assign(house.indexHealth, { ok: false, detail: 'the file is damaged' });
    const { status, body } = await ready();
    Object.assign(house.indexHealth, { ok: true });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'Ready.NotReady',
      detail: 'index: the file is damaged',
      parts: { index: { ok: false }, temporal: { ok: true } },
    });
  });

  test('is 503 and names a part that throws, hangs or was added', async () => {
    const base = await house.listen({
      ready: {
        store: () => Promise.reject(new Error('the store is away')),
        model: () => Promise.resolve({ ok: false, detail: 'no model' }),
        web: () => new Promise(() => undefined),
      },
    });
    const response = await house.request(`${base}/ready`);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await response.json()).toMatchObject({
      detail: 'store: the store is away; model: no model; web: no answer within 3 s',
    });
  });
});

describe('while no worker is there', () => {
  test('a question is accepted and shown as running, its stream stays open, and it is answered when a worker is back', async () => {
    await worker.stop();
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    expect(await (await house.request(`/v1/questions/${id}`)).json()).toMatchObject({
      id,
      status: 'running',
      progress: 'unavailable',
    });
    const base = await house.listen({ times: { pollMs: 100 } });
    const stream = readSse(await house.request(`${base}/v1/questions/${id}/events`));
    worker = await house.startWorker();
    const events = await stream.rest();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
  });
});

describe('while Temporal does not answer', () => {
  const temporal = (signal: string) => {
    const port = house.env.address.split(':').at(-1) ?? '';
    const pids = execFileSync('pgrep', ['-f', `temporal .*--port ${port}`])
      .toString()
      .trim()
      .split('\n');
    expect(pids).toHaveLength(1);
    process.kill(Number(pids[0]), signal);
  };

  test('everything is 503 with a time to try again, never "not found", and the process is alive', async () => {
    const { id } = (await (await house.ask('What is the late fee?', { headers: { Prefer: 'wait=20' } })).json()) as {
      id: string;
    };
    temporal('SIGSTOP');
    try {
      const asked = await Promise.all([
        house.ask('What is the late fee?'),
        house.ask('What is the late fee?', { headers: { 'Idempotency-Key': 'k', Prefer: 'wait=20' } }),
        house.request(`/v1/questions/${id}`),
        house.request('/v1/questions/unknown'),
        house.request(`/v1/questions/${id}/events`),
        house.request(`/v1/questions/${id}`, { method: 'DELETE' }),
        house.request('/v1/questions'),
      ]);
      for (const response of asked) {
        expect(response.status).toBe(503);
        expect(response.headers.get('Retry-After')).toBe('5');
        expect(await response.json()).toMatchObject({ code: 'Temporal.Unavailable' });
      }
      expect((await house.request('/health')).status).toBe(200);
      const { status, body } = await ready();
      expect(status).toBe(503);
      expect(body.parts).toMatchObject({ temporal: { ok: false }, index: { ok: true } });
    } finally {
      temporal('SIGCONT');
    }
    expect((await house.request(`/v1/questions/${id}`)).status).toBe(200);
    expect(house.reported).toEqual([]);
  });

  test('a stream that was open goes on afterwards without a gap', async () => {
    const gate = house.hold('generate');
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    await gate.reached;
    const base = await house.listen({ times: { pollMs: 100 } });
    const stream = readSse(await house.request(`${base}/v1/questions/${id}/events`));
    const first = await stream.next();
    temporal('SIGSTOP');
    try {
      await sleep(1000);
    } finally {
      temporal('SIGCONT');
    }
    gate.release();
    const events = [first!, ...(await stream.rest())];
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
  });
});
