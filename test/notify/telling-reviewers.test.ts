import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Worker } from '@temporalio/worker';
import { createNotifyReviewer, type NotifyReviewerInput } from '../../activities/notify-reviewer.ts';
import { NotifyError, type Notifier } from '../../adapters/notify/port.ts';
import { createWebhookNotifier } from '../../adapters/notify/webhook.ts';
import { failureOf } from '../activities/answer-house.ts';
import { keepingNotifier } from '../support/kept-notifications.ts';
import { devServer, quietRuntime } from '../support/servers.ts';
import { startWebServer, type Handler, type WebServer } from '../web/support/web-server.ts';
import { requested, secretOf } from './notifications.ts';

const taken: Handler = (_, response) => void response.writeHead(204).end();
/** Answers with the statuses in turn, the last one for ever. */
const statuses = (...codes: number[]): Handler => {
  return (_, response) => void response.writeHead(codes.length > 1 ? (codes.shift() ?? 0) : (codes[0] ?? 0)).end();
};

let receiver: WebServer;
let answer = taken;
beforeAll(async () => {
  receiver = await startWebServer((request, response) => answer(request, response));
});
beforeEach(() => {
  receiver.requests.length = 0;
  answer = taken;
});
afterAll(() => receiver.close());

function house() {
  const { notifier, kept } = keepingNotifier();
  const webhook = createWebhookNotifier({ url: receiver.url, secrets: [secretOf(1)], publicUrl: null });
  return { kept, notifiers: [notifier, webhook] };
}

describe('an attempt to notify', () => {
  const attempt = (notifiers: Notifier[], input: unknown, heartbeatDetails?: unknown) =>
    new MockActivityEnvironment(
      { startToCloseTimeoutMs: 60_000, heartbeatDetails },
      { logger: new DefaultLogger('ERROR') },
    ).run(createNotifyReviewer({ notifiers }), input as NotifyReviewerInput);

  test('goes by every notifier', async () => {
    const { kept, notifiers } = house();
    expect(await attempt(notifiers, { notification: requested() })).toMatchObject({ refused: {} });
    expect([kept, receiver.requests.length]).toEqual([[requested()], 1]);
  });

  test('lets nothing out but the fields of a notification', async () => {
    const { kept, notifiers } = house();
    await attempt(notifiers, { notification: { ...requested(), question: 'What is the late fee?' } });
    expect(kept).toEqual([requested()]);
    expect(receiver.requests[0]?.body).not.toContain('late fee');
  });

  test.each([
    ['an id with a full stop', { id: 'question.1' }],
    ['a text in place of a code', { reason: 'What is the late fee?' }],
  ])('refuses %s', async (_, wrong) => {
    const { kept, notifiers } = house();
    const failure = await failureOf(attempt(notifiers, { notification: { ...requested(), ...wrong } }));
    expect(failure).toMatchObject({ type: 'Input.Invalid', nonRetryable: true });
    expect(kept).toEqual([]);
  });

  test('fails for now while one cannot take it, and says who got it', async () => {
    answer = (_, response) => void response.writeHead(503, { 'retry-after': '20' }).end();
    const { notifiers } = house();
    expect(await failureOf(attempt(notifiers, { notification: requested() }))).toMatchObject({
      type: 'Notify.Unavailable',
      nonRetryable: false,
      nextRetryDelay: expect.anything(),
      details: [{ delivered: ['kept'], refused: {} }],
    });
  });

  test('goes only to those where the attempts before did not settle it', async () => {
    const { kept, notifiers } = house();
    const before = { delivered: ['kept'], refused: {} };
    expect(await attempt(notifiers, { notification: requested() }, before)).toEqual({
      delivered: ['kept', 'webhook'],
      refused: {},
    });
    expect(kept).toEqual([]);
  });

  test('fails for good when one refuses, after all others have it', async () => {
    answer = statuses(400);
    const { kept, notifiers } = house();
    let isDown = true;
    const shaky: Notifier = {
      name: 'shaky',
      send: () => (isDown ? Promise.reject(new NotifyError('unavailable', 'away')) : Promise.resolve()),
      close: () => Promise.resolve(),
    };
    const first = await failureOf(attempt([...notifiers, shaky], { notification: requested() }));
    expect(first).toMatchObject({ type: 'Notify.Unavailable', nonRetryable: false });
    isDown = false;
    const second = attempt([...notifiers, shaky], { notification: requested() }, first.details?.[0]);
    expect(await failureOf(second)).toMatchObject({
      type: 'Notify.Refused',
      nonRetryable: true,
      message: expect.stringContaining('status 400'),
      details: [{ delivered: ['kept', 'shaky'], refused: { webhook: expect.anything() } }],
    });
    expect([kept.length, receiver.requests.length]).toEqual([1, 1]);
  });
});

describe('on a Temporal server', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    quietRuntime();
    env = await devServer();
  });
  afterAll(() => env?.teardown());

  test('retries bring the same message to those that were away, and nothing to the others', async () => {
    answer = statuses(503, 500, 204);
    const { kept, notifiers } = house();
    const taskQueue = `q-${randomUUID()}`;
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue,
      activities: { notifyReviewer: createNotifyReviewer({ notifiers }) },
    });
    const deliveries = await worker.runUntil(() =>
      env.client.activity.execute('notifyReviewer', {
        id: randomUUID(),
        taskQueue,
        args: [{ notification: requested() }],
        startToCloseTimeout: '30s',
        retry: { initialInterval: '10ms' },
      }),
    );
    expect(deliveries).toEqual({ delivered: ['kept', 'webhook'], refused: {} });
    expect(kept).toHaveLength(1);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(requested().id));
  });
});
