import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { LiveEvent, StepEvent } from '../../domain/contracts/events.ts';
import { countedEvents, openApiHouse, people, type ApiHouse } from './api-house.ts';
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
afterEach(async () => {
  // The server notices a reader's leave a moment later.
  for (let tries = 0; house.events.listeners() > 0 && tries < 100; tries++) await sleep(20);
  expect(house.events.listeners()).toBe(0);
  expect(house.reported).toEqual([]);
});

const ask = async (question = 'What is the late fee?', headers: Record<string, string> = {}) =>
  ((await (await house.ask(question, { headers })).json()) as { id: string }).id;
const open = async (id: string, { base = house.url, ...init }: RequestInit & { base?: string } = {}) =>
  readSse(await house.request(`${base}/v1/questions/${id}/events`, init));
const seqs = (events: StepEvent[]) => events.map(({ seq }) => seq);
const oneToEnd = (events: StepEvent[], from = 1) => {
  expect(seqs(events)).toEqual(events.map((_, i) => from + i));
  expect(events.slice(0, -1).map(({ type }) => type)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^run-/)]),
  );
};

describe('an event stream', () => {
  test('brings every event of a run while it happens, and ends after the terminal one', async () => {
    const gate = house.hold('generate');
    const id = await ask();
    const stream = await open(id);
    const first = await stream.next();
    expect(first).toMatchObject({ seq: 1, type: 'step-start', step: 'analyse' });
    const early = [first!];
    while (
      early.at(-1)!.type !== 'step-start' ||
      !('step' in early.at(-1)!) ||
      (early.at(-1) as { step: string }).step !== 'generate'
    ) {
      early.push((await stream.next())!);
    }
    await gate.reached;
    gate.release();
    const events = [...early, ...(await stream.rest())];
    oneToEnd(events);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
    expect(events.filter(({ type }) => type === 'grade-end')).toEqual([
      expect.objectContaining({
        verdict: 'CORRECT',
        grades: [expect.objectContaining({ evidenceId: 'p1', label: 'relevant' })],
      }),
    ]);
    expect(stream.ids).toEqual(events.map(({ seq }) => String(seq)));
  });

  test('of a run that has ended brings all its events at once', async () => {
    const id = await ask('What is the late fee?', { Prefer: 'wait=20' });
    const events = await (await open(id)).rest();
    oneToEnd(events);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
  });

  test('tells proxies to neither change nor hold it back, also for a reader who takes gzip', async () => {
    const id = await ask('What is the late fee?', { Prefer: 'wait=20' });
    const stream = await open(id, { headers: { 'Accept-Encoding': 'gzip, br' } });
    const { headers } = stream.response;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers.get('Content-Encoding')).toBeNull();
    expect(headers.get('Content-Length')).toBeNull();
    await stream.rest();
  });

  test('goes on after the last event that a reader saw: nothing twice, nothing left out', async () => {
    const gate = house.hold('grade');
    const id = await ask();
    const gone = new AbortController();
    const broken = await open(id, { signal: gone.signal });
    const seen = [(await broken.next())!, (await broken.next())!];
    gone.abort();
    const again = await open(id, { headers: { 'Last-Event-ID': String(seen.at(-1)!.seq) } });
    gate.release();
    const events = [...seen, ...(await again.rest())];
    oneToEnd(events);
    expect(events.at(-1)).toMatchObject({ type: 'run-end' });
  });

  test('is not sent again to a browser that has had the terminal event', async () => {
    const id = await ask('What is the late fee?', { Prefer: 'wait=20' });
    const last = (await (await open(id)).rest()).at(-1)!.seq;
    const after = async (seen: string) =>
      (await house.request(`/v1/questions/${id}/events`, { headers: { 'Last-Event-ID': seen } })).status;
    expect(await after(String(last))).toBe(204);
    expect(await after(String(last - 1))).toBe(200);
    expect(await after('no number')).toBe(200);
  });

  test('keeps the connection alive in a silent step, and brings its first bytes at once', async () => {
    const base = await house.listen({ times: { keepAliveMs: 60 } });
    const gate = house.hold('retrieve');
    const id = await ask();
    await gate.reached;
    const started = performance.now();
    const stream = await open(id, { base });
    await stream.next();
    expect(performance.now() - started).toBeLessThan(1000);
    await sleep(400);
    gate.release();
    await stream.rest();
    expect(stream.comments.filter((comment) => comment.includes('still here')).length).toBeGreaterThanOrEqual(3);
  });

  test('sends a keep-alive at least every 15 s as it comes', async () => {
    const { streamTimes } = await import('../../api/event-stream.ts');
    expect(streamTimes.keepAliveMs).toBeLessThanOrEqual(15_000);
  });

  test('frees its listener when the reader goes away in the middle', async () => {
    const gate = house.hold('refine');
    const id = await ask();
    const gone = new AbortController();
    const stream = await open(id, { signal: gone.signal });
    await stream.next();
    expect(house.events.listeners()).toBe(1);
    gone.abort();
    for (let tries = 0; house.events.listeners() > 0 && tries < 100; tries++) await sleep(20);
    expect(house.events.listeners()).toBe(0);
    gate.release();
  });

  test('carries line breaks and emoji whole', async () => {
    const id = await ask('What is 🦉 the\nlate fee?', { Prefer: 'wait=20' });
    const [first] = await (await open(id)).rest();
    expect(first).toMatchObject({ type: 'step-start', note: expect.stringContaining('🦉') });
  });

  test('comes in pieces as they are made, not in one at the end', async () => {
    const gate = house.hold('generate');
    const id = await ask();
    const pieces: string[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const request = httpRequest(`${house.url}/v1/questions/${id}/events`, {
      headers: { Authorization: `Bearer ${house.token}` },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response
      .setEncoding('utf8')
      .on('data', (piece: string) => pieces.push(piece))
      .on('end', resolve);
    await gate.reached;
    while (!pieces.join('').includes('event: grade-end')) await sleep(20);
    expect(pieces.join('')).not.toContain('event: run-end');
    gate.release();
    await ended;
    expect(pieces.join('')).toContain('event: run-end');
  });
});

describe('the text of an answer under way', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const start: LiveEvent = { type: 'text-start', textId: 'one', at };
  const first: LiveEvent = { type: 'text-delta', textId: 'one', at, offset: 0, text: 'Die Gebühr\nist ' };
  const second: LiveEvent = { type: 'text-delta', textId: 'one', at, offset: 15, text: '12 % 🙂' };
  const end: LiveEvent = { type: 'text-end', textId: 'one', at, length: 22 };
  const textsOf = (events: LiveEvent[]) => events.filter((event) => !('seq' in event));

  test('is sent as it comes, without ids; who comes in the middle or comes back gets none of it', async () => {
    const gate = house.hold('generate');
    const id = await ask();
    await gate.reached;
    const tell = (...events: LiveEvent[]) => {
      for (const event of events) house.events.publish(`question.main.${id}`, event);
    };
    const whole = await open(id);
    const seen = [(await whole.next())!];
    while (seen.at(-1)!.type !== 'step-start' || (seen.at(-1) as { step: string }).step !== 'generate')
      seen.push((await whole.next())!);
    tell(start, first);
    const late = await open(id);
    const back = await open(id, { headers: { 'Last-Event-ID': String(seen.at(-1)!.seq) } });
    for (let tries = 0; house.events.listeners() < 3 && tries < 100; tries++) await sleep(20);
    tell(second, end);
    gate.release();
    for (const stream of [whole, late, back]) await stream.rest();
    expect(textsOf(whole.all)).toEqual([start, first, second, end]);
    expect(textsOf(late.all)).toEqual([]);
    expect(textsOf(back.all)).toEqual([expect.objectContaining({ type: 'text-reset' })]);
    const place = whole.all.findIndex(({ type }) => type === 'text-start');
    expect(whole.all[place - 1]).toMatchObject({ type: 'step-start', step: 'generate' });
    expect(whole.ids).toEqual(whole.all.map((event) => ('seq' in event ? String(event.seq) : '')));
    oneToEnd(whole.all.filter((event) => 'seq' in event));
  });
});

describe('the terminal event', () => {
  const terminal = (events: StepEvent[]) => events.filter(({ type }) => type === 'run-end' || type === 'run-error');

  test('of a failed run says why', async () => {
    const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('the index is away', 'Index.Unavailable'));
    const events = await (await open(await ask())).rest();
    mend();
    oneToEnd(events);
    expect(terminal(events)).toEqual([
      expect.objectContaining({ type: 'run-error', reason: 'Index.Unavailable', message: 'the index is away' }),
    ]);
  });

  test('of a cancelled run says so', async () => {
    const gate = house.hold('grade');
    const id = await ask();
    await gate.reached;
    const stream = await open(id);
    await house.request(`/v1/questions/${id}`, { method: 'DELETE' });
    gate.release();
    const events = await stream.rest();
    oneToEnd(events);
    expect(terminal(events)).toEqual([expect.objectContaining({ type: 'run-error', reason: 'Run.Cancelled' })]);
  });

  test('comes also for a run that was terminated and could not say anything', async () => {
    const base = await house.listen({ times: { pollMs: 50 } });
    const gate = house.hold('grade');
    const id = await ask();
    await gate.reached;
    const stream = await open(id, { base });
    await house.env.client.workflow.getHandle(`question.main.${id}`).terminate('by hand');
    const events = await stream.rest();
    gate.release();
    oneToEnd(events);
    expect(terminal(events)).toEqual([expect.objectContaining({ type: 'run-error', reason: 'Run.Terminated' })]);
    expect(await (await house.request(`/v1/questions/${id}`)).json()).toMatchObject({
      status: 'failed',
      reason: { code: 'Run.Terminated' },
    });
  });
});

describe('with a bus that brings nothing', () => {
  test('all events come from the run itself', async () => {
    const base = await house.listen({ events: countedEvents(), times: { pollMs: 50 } });
    const gate = house.hold('generate');
    const id = await ask();
    await gate.reached;
    const stream = await open(id, { base });
    const first = await stream.next();
    gate.release();
    const events = [first!, ...(await stream.rest())];
    oneToEnd(events);
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
  });
});

describe('with a bus that loses and repeats', () => {
  test('readers get every event once, in order', async () => {
    const port = countedEvents();
    const flaky = {
      ...port,
      subscribe: (id: string, listener: (event: LiveEvent) => void) =>
        port.subscribe(id, (event) => {
          if (!('seq' in event)) return listener(event);
          if (event.seq % 3 === 0) return;
          listener(event);
          if (event.seq % 2 === 0) listener(event);
        }),
    };
    const bridge = house.events.subscribe;
    const base = await house.listen({
      events: {
        ...flaky,
        subscribe: (id, listener) => {
          const off = bridge(id, (event) => port.publish(id, event));
          const unsubscribe = flaky.subscribe(id, listener);
          return () => {
            off();
            unsubscribe();
          };
        },
      },
      times: { pollMs: 50 },
    });
    const stream = await open(await ask(), { base });
    const events = await stream.rest();
    oneToEnd(events);
    expect(events.at(-1)).toMatchObject({ type: 'run-end' });
    expect(port.listeners()).toBe(0);
  });
});

test('the stream of a question that the reader may not see is not found', async () => {
  const id = await ask('What is the late fee?', { Prefer: 'wait=20' });
  const response = await house.request(`/v1/questions/${id}/events`, { token: people.birch.token });
  expect(response.status).toBe(404);
});

test('whoever looks at a question right after its terminal event finds its outcome', async () => {
  const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('away', 'Index.Unavailable'));
  const statuses = new Set<string>();
  for (let i = 0; i < 10; i++) {
    const id = await ask();
    await (await open(id)).rest();
    statuses.add(((await (await house.request(`/v1/questions/${id}`)).json()) as { status: string }).status);
  }
  mend();
  expect([...statuses]).toEqual(['failed']);
});
