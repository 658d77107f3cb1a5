import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { EventsPort } from '../../adapters/store/port.ts';
import { createRedisEvents } from '../../adapters/store/redis-events.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import type { LiveEvent, StepEvent } from '../../domain/contracts/events.ts';
import { eventually } from '../store/events-contract.ts';
import { processesWith, type PlumblineProcess } from '../support/plumbline-process.ts';
import { describeWithRedis, RedisServer } from '../support/redis-server.ts';
import { Cluster } from './cluster.ts';
import { Halves } from './halves.ts';

const limit = 240_000;
const samples = join(import.meta.dirname, '..', '..', 'examples', 'corpus');
const warranty = 'How long is the warranty on a Heron lock-gate actuator?';
const fee = 'What restocking fee do we charge when a customer returns goods?';

interface View {
  status: string;
  answer?: string;
  citations?: unknown[];
  run: { workflowId: string; runId: string };
  timings?: { steps: { step: string }[] };
}

let cluster: Cluster;
let client: Client;
beforeAll(async () => {
  cluster = await Cluster.start();
  client = new Client({ connection: await Connection.connect({ address: cluster.address }) });
}, limit);
afterAll(async () => {
  await client?.connection.close();
  await cluster?.remove();
});

async function ended(halves: Halves, id: string): Promise<View> {
  for (;;) {
    const view = (await (await halves.fetch(`/v1/questions/${id}`)).json()) as View;
    if (view.status !== 'running') return view;
    await sleep(100);
  }
}

async function collect(events: AsyncGenerator<StepEvent>): Promise<StepEvent[]> {
  const all: StepEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function expectWholeStory(events: StepEvent[], status = 'answered'): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(0)).toMatchObject({ type: 'step-start', step: 'analyse' });
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status });
}

describe('worker and API as two processes, with the embedded index in one data folder', () => {
  let halves: Halves;
  let worker: PlumblineProcess;
  let api: PlumblineProcess;
  beforeAll(async () => {
    halves = await Halves.create({ TEMPORAL_ADDRESS: cluster.address });
    [worker, api] = await Promise.all([halves.worker(), halves.api()]);
  }, limit);
  afterAll(() => halves?.remove());

  test('both have made a cluster ready that knew none of the search attributes, and say that they are', async () => {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace: 'default' });
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['PlumblineTenant', 'PlumblineStatus']));
    expect((await fetch(`${halves.workerUrl}/ready`)).status).toBe(200);
    expect((await halves.fetch('/ready')).status).toBe(200);
  });

  test(
    'a command on this machine finds the API, documents taken in by the worker answer a question over HTTP, and the steps are streamed',
    async () => {
      const ingest = halves.run(['ingest', samples]);
      expect({ exit: await ingest.exit(), said: ingest.stderr }).toMatchObject({ exit: 0 });
      const id = await halves.ask(warranty);
      expectWholeStory(await collect(halves.events(id)));
      const view = await ended(halves, id);
      expect(view).toMatchObject({ status: 'answered', answer: expect.stringContaining('36 months') });
      expect(view.citations?.length).toBeGreaterThan(0);
    },
    limit,
  );

  test(
    'kill -9 of the worker in the middle of a run: a new one completes it, once',
    async () => {
      const id = await killedInTheMiddle();
      // Longer than any step may take: nothing that is only waiting for a worker may run out of time.
      await sleep(15_000);
      worker = await halves.worker();
      const view = await ended(halves, id);
      expect(view).toMatchObject({ status: 'answered', answer: expect.stringContaining('12 %') });
      const steps = view.timings?.steps.map(({ step }) => step) ?? [];
      expect(new Set(steps).size).toBe(steps.length);
      const handle = client.workflow.getHandle(view.run.workflowId);
      const { runId } = await handle.describe();
      expect(runId).toBe(view.run.runId);
      const { events } = await handle.fetchHistory();
      expect(events?.filter((event) => event.workflowExecutionCompletedEventAttributes)).toHaveLength(1);
      const runs = [];
      for await (const run of client.workflow.list({ query: `WorkflowId = '${view.run.workflowId}'` })) runs.push(run);
      expect(runs).toHaveLength(1);
      expectWholeStory(await collect(halves.events(id)));
    },
    limit,
  );

  test(
    'while Temporal is away both say so and stay up; when it is back they serve again',
    async () => {
      await cluster.stop();
      const workerReady = await fetch(`${halves.workerUrl}/ready`);
      expect(workerReady.status).toBe(503);
      expect(await workerReady.json()).toMatchObject({ parts: { temporal: { ok: false }, index: { ok: true } } });
      expect((await halves.fetch('/ready')).status).toBe(503);
      expect((await halves.fetch('/health')).status).toBe(200);
      const refused = await halves.fetch('/v1/questions', { method: 'POST', body: JSON.stringify({ question: fee }) });
      expect(refused.status).toBe(503);
      await cluster.resume();
      while ((await halves.fetch('/ready')).status !== 200) await sleep(200);
      expect(await ended(halves, await halves.ask(fee))).toMatchObject({ status: 'answered' });
    },
    limit,
  );

  test(
    'a second API serves beside the first, and a copy of everything is refused',
    async () => {
      const second = halves.run(['api'], { PLUMBLINE_PORT: '0' });
      await second.says('Plumbline serves on');
      const up = halves.run(['up'], { TEMPORAL_ADDRESS: '' });
      expect(await up.exit()).toBe(1);
      expect(up.stderr).toContain(`already running in ${halves.dataDir} (process ${api.pid}`);
      expect(await second.stop()).toBe(0);
    },
    limit,
  );

  test(
    'SIGTERM ends both cleanly',
    async () => {
      expect(await api.stop()).toBe(0);
      expect(await worker.stop()).toBe(0);
      expect(processesWith(halves.dataDir)).toEqual([]);
    },
    limit,
  );

  /** Kills the worker after a run's first step and before its last; a run that was quicker than that is followed by another. */
  async function killedInTheMiddle(): Promise<string> {
    for (;;) {
      const id = await halves.ask(fee);
      const handle = client.workflow.getHandle(questionWorkflowId('main', id));
      const stepsDone = async () =>
        (await handle.fetchHistory()).events?.filter((event) => event.activityTaskCompletedEventAttributes).length ?? 0;
      while ((await stepsDone()) === 0) await sleep(5);
      await worker.stop('SIGKILL');
      if ((await handle.describe()).status.name === 'RUNNING') return id;
      worker = await halves.worker();
    }
  }
});

describeWithRedis('worker and API as two processes, with Redis between them', () => {
  let redis: RedisServer;
  let bus: EventsPort;
  let halves: Halves;
  beforeAll(async () => {
    redis = await RedisServer.start();
    bus = await createRedisEvents({ url: redis.url, name: 'default', onTrouble: () => undefined });
    halves = await Halves.create({ TEMPORAL_ADDRESS: cluster.address, REDIS_URL: redis.url });
    await halves.api();
  }, limit);
  afterAll(async () => {
    await halves?.remove();
    await bus?.close();
    await redis?.stop();
  });

  test(
    'the API streams what comes from Redis, and the worker sends its steps there',
    async () => {
      const id = await halves.ask(warranty);
      const workflowId = questionWorkflowId('main', id);
      const heard: LiveEvent[] = [];
      bus.subscribe(workflowId, (event) => heard.push(event));
      // No worker runs yet, so this one can have come through Redis only.
      const first: StepEvent = {
        seq: 1,
        at: new Date().toISOString(),
        type: 'step-start',
        step: 'analyse',
        note: null,
      };
      const stream = halves.events(id);
      const arrived = stream.next();
      const sending = setInterval(() => bus.publish(workflowId, first), 50);
      expect((await arrived).value).toEqual(first);
      clearInterval(sending);
      await halves.worker();
      const rest = await collect(stream);
      expectWholeStory([first, ...rest], 'abstained');
      // Some of those sent here may still have been on their way; the worker's own first one tells what was asked.
      const ofWorker = () => heard.filter((event) => JSON.stringify(event) !== JSON.stringify(first));
      await eventually(() => expect(ofWorker().slice(1)).toEqual(rest));
      expect(ofWorker()[0]).toMatchObject({ seq: 1, type: 'step-start', note: warranty });
    },
    limit,
  );

  test(
    'without Redis the story comes all the same',
    async () => {
      await redis.kill();
      const id = await halves.ask(warranty);
      expectWholeStory(await collect(halves.events(id)), 'abstained');
    },
    limit,
  );
});

describe('what is missing is named', () => {
  test.each(['worker', 'api'])(
    'plumbline %s without TEMPORAL_ADDRESS',
    async (command) => {
      const halves = await Halves.create({ TEMPORAL_ADDRESS: '' });
      const refused = halves.run([command]);
      expect(await refused.exit()).toBe(1);
      expect(refused.stderr).toContain('TEMPORAL_ADDRESS');
      expect(refused.stderr).toContain('plumbline up');
      await halves.remove();
    },
    limit,
  );
});
