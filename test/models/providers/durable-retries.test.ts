import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { step } from '../../../activities/step.ts';
import { bundle, defaultPolicy, questionWorker, startQuestion } from '../../support/question-runs.ts';
import type { Answer, RawAnswer } from '../../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../../support/provider-server/start-provider-server.ts';
import { quietRuntime, timeSkippingServer } from '../../support/servers.ts';
import { scriptedSteps } from '../../support/scripted-steps.ts';
import { chatOf, failureOf, fixture, request, secret, type ChatProvider } from './chats.ts';

let env: TestWorkflowEnvironment;
let server: ProviderServer;
const recorded: Partial<Record<ChatProvider, Record<string, RawAnswer>>> = {};
beforeAll(async () => {
  quietRuntime();
  await bundle();
  env = await timeSkippingServer();
  server = await startProviderServer({ respond: () => undefined });
  for (const provider of ['anthropic', 'openai'] as const) {
    recorded[provider] = JSON.parse(await fixture(`${provider}-errors.json`)) as Record<string, RawAnswer>;
  }
});
afterAll(async () => {
  await server.close();
  await env.teardown();
});
beforeEach(() => server.clear());

const quiet = () =>
  new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 }, { logger: new DefaultLogger('ERROR') });

/** A step that asks the provider once an attempt. */
const asking = (provider: ChatProvider) =>
  step(async (_: unknown, { signal }) => ({ answer: await chatOf(provider, server).complete(request, signal) }));

/** A question's run whose generator asks the provider: how it failed (null: it did not), and the times of the calls on Temporal's clock. */
async function run(provider: ChatProvider, respond: (call: number) => Answer) {
  server.respondWith(({ call }) => respond(call));
  const scripted = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] }).activities;
  const ask = asking(provider);
  const calledAt: number[] = [];
  const generate: typeof scripted.generate = async (input) => {
    calledAt.push(await env.currentTimeMs());
    await ask(input);
    return scripted.generate(input);
  };
  const taskQueue = `q-${randomUUID()}`;
  const { worker } = await questionWorker({
    connection: env.nativeConnection,
    taskQueue,
    activities: { ...scripted, generate },
  });
  return worker.runUntil(async () => {
    const handle = await startQuestion(env.client, { taskQueue });
    const failure = await handle.result().then(
      () => null,
      (error: unknown) => causeOf(error),
    );
    return { failure, calledAt };
  });
}

function causeOf(error: unknown): ApplicationFailure {
  const cause = error instanceof WorkflowFailedError ? error.cause : error;
  const inner = cause instanceof ActivityFailure ? cause.cause : cause;
  if (inner instanceof ApplicationFailure) return inner;
  throw error;
}

describe.each(['anthropic', 'openai'] as const)('%s in a durable run', (provider) => {
  const failing = (name: string): RawAnswer => {
    const answer = recorded[provider]?.[name];
    if (!answer) throw new Error(`no recorded failure ${name}`);
    return answer;
  };

  test('429 with Retry-After 90: the next call comes after 90 s, and the run goes on', async () => {
    const limited = { ...failing('rate limit'), headers: { 'retry-after': '90' } };
    const { failure, calledAt } = await run(provider, (call) => (call === 1 ? limited : { says: { query: 'a' } }));
    expect(failure).toBeNull();
    expect(server.calls()).toBe(2);
    const [first = 0, second = 0] = calledAt;
    expect(second - first).toBeGreaterThanOrEqual(90_000);
    expect(second - first).toBeLessThan(100_000);
  });

  test.each([
    ['quota', 'Model.InsufficientQuota'],
    ['context too long', 'Model.ContextTooLong'],
    ['key', 'Model.Unauthorized'],
  ])('%s: one call, and the run fails with its reason', async (name, type) => {
    const { failure } = await run(provider, () => failing(name));
    expect(failure?.type).toBe(type);
    expect(failure?.message).toContain(provider);
    expect(server.calls()).toBe(1);
  });

  test("500 always: exactly the calls of the step's policy", async () => {
    const { failure } = await run(provider, () => failing('server error'));
    expect(failure?.type).toBe('Model.ServerError');
    expect(server.calls()).toBe(defaultPolicy.steps.generate.attempts);
  });

  test('a refusal is not asked again', async () => {
    const refusal = provider === 'anthropic' ? { says: '', finish: 'refusal' } : { says: '', refusal: 'I will not.' };
    const { failure } = await run(provider, () => refusal);
    expect(failure?.type).toBe('Model.Refused');
    expect(server.calls()).toBe(1);
  });
});

describe.each(['anthropic', 'openai', 'openai-compatible'] as const)(
  'the failure that Temporal records, %s',
  (provider) => {
    test.each([
      ['90', 90_000],
      ['86400', 600_000],
    ])('Retry-After %s is the delay of the next attempt', async (header, nextRetryDelay) => {
      const headers = { 'retry-after': header };
      server.respondWith(() => ({
        status: 429,
        headers,
        body: { error: { type: 'rate_limit_error', message: secret } },
      }));
      const failure = await failureOf(quiet().run(asking(provider), {}));
      expect(failure).toMatchObject({ type: 'Model.RateLimited', nonRetryable: false, nextRetryDelay });
      expect(JSON.stringify(failure)).not.toContain(secret);
      expect(server.calls()).toBe(1);
    });

    test('a cancelled activity stays cancelled, and the connection is closed', async () => {
      server.respondWith(() => ({ says: { query: 'a' }, waitMs: 30_000 }));
      const activity = quiet();
      const failing = failureOf(activity.run(asking(provider), {}));
      setTimeout(() => activity.cancel('CANCELLED'), 200);
      expect(((await failing) as Error).name).toBe('CancelledFailure');
      await server.journal[0]?.ended;
      expect(server.journal).toHaveLength(1);
      expect(server.journal[0]).toMatchObject({ closedEarly: true });
    });
  },
);
