import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundle, defaultPolicy, questionWorker, startQuestion } from '../support/question-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer, quietRuntime } from '../support/servers.ts';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  quietRuntime();
  await bundle();
  env = await devServer();
});
afterAll(() => env.teardown());

describe('a run whose workers are away', () => {
  test('waits, longer than all attempts of a step would take, and then goes on', async () => {
    const taskQueue = `q-${randomUUID()}`;
    const { activities, calls } = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
    const limits = { startToCloseMs: 500, heartbeatMs: null, attempts: 2 };
    const policy = { ...defaultPolicy, steps: { ...defaultPolicy.steps, retrieve: limits } };
    const handle = await startQuestion(env.client, { taskQueue, policy });
    const began = Promise.withResolvers<void>();
    const retrieve = () => {
      began.resolve();
      return Promise.reject(
        ApplicationFailure.create({
          type: 'Index.Unavailable',
          message: 'away',
          nonRetryable: false,
          nextRetryDelay: '1s',
        }),
      );
    };
    const first = await questionWorker({
      connection: env.nativeConnection,
      taskQueue,
      activities: { ...activities, retrieve },
    });
    await first.worker.runUntil(began.promise);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const { worker } = await questionWorker({ connection: env.nativeConnection, taskQueue, activities });
    await worker.runUntil(async () => expect(await handle.result()).toMatchObject({ status: 'answered' }));
    expect(calls).toMatchObject({ analyse: 1, generate: 1 });
  });
});
