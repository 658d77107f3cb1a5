import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { Access } from '../../domain/contracts/access.ts';
import { PlumblineError } from '../../client/failures.ts';
import { RunFailedError } from '../../client/question-end.ts';
import { openApiHouse, type ApiHouse } from '../api/api-house.ts';

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

const access: Access = { tenant: 'main', user: 'ann', groups: ['staff'] };
const question = 'What is the late fee?';
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test('a question gives its outcome, and its progress with all events afterwards', async () => {
  const { id, result } = await house.plumbline.ask(access, { question });
  expect(await result()).toMatchObject({ question, status: 'answered' });
  const progress = await house.plumbline.progress(access, id);
  expect(progress?.events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
  expect(await house.plumbline.runUrl(access, id)).toContain(`/workflows/question.main.${id}/`);
});

test('the outcome of a failed run is thrown with its type, that of a cancelled one as cancelled', async () => {
  const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('away', 'Index.Unavailable'));
  const failed = await house.plumbline.ask(access, { question });
  expect(await refusal(failed.result())).toEqual(Object.assign(new RunFailedError('Index.Unavailable', 'away')));
  mend();
  const gate = house.hold('grade');
  const cancelled = await house.plumbline.ask(access, { question });
  await gate.reached;
  await house.plumbline.cancel(access, cancelled.id);
  gate.release();
  expect(await refusal(cancelled.result())).toMatchObject({ name: 'RunFailedError', code: 'Run.Cancelled' });
});

test('the run carries tenant, policy and status as search attributes, and in its memo only what was asked by whom', async () => {
  const { run, result } = await house.plumbline.ask(access, { question });
  await result();
  const { searchAttributes, memo, priority } = await house.env.client.workflow.getHandle(run.workflowId).describe();
  expect(searchAttributes).toMatchObject({
    PlumblineTenant: ['main'],
    PlumblinePolicy: ['default'],
    PlumblineStatus: ['answered'],
    PlumblineVerdict: ['CORRECT'],
  });
  const request: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(memo).toEqual({ question, user: 'ann', groups: ['staff'], request, mayWait: false });
  expect(priority).toMatchObject({ fairnessKey: 'main' });
});

test('errors say what they are', async () => {
  const unknown = await refusal(house.plumbline.outcome(access, 'unknown'));
  expect(unknown).toBeInstanceOf(PlumblineError);
  expect(unknown).toMatchObject({ code: 'Question.NotFound', retryAfterSeconds: null });
  expect(await refusal(house.plumbline.ask(access, { question, policy: 'reckless' }))).toMatchObject({
    code: 'Question.UnknownPolicy',
  });
  const files = Array.from({ length: 51 }, (_, i) => ({
    path: `/x/${i}.md`,
    name: `${i}.md`,
    uri: `file:///x/${i}.md`,
    overrides: {},
  }));
  expect(await refusal(house.plumbline.ingest(access, { files }))).toMatchObject({ code: 'Ingestion.TooManyFiles' });
  expect(await refusal(house.plumbline.ingestions.find(access, 'unknown'))).toMatchObject({
    code: 'Ingestion.NotFound',
  });
});

test('a question of any script and length is started with a summary that Temporal takes', async () => {
  for (const long of ['漢'.repeat(4000), '🦉'.repeat(4000), `a${'🦉'.repeat(4000)}`, 'line\n'.repeat(1600)]) {
    const { run } = await house.plumbline.ask(access, { question: long });
    const description = await house.env.client.workflow.getHandle(run.workflowId).describe();
    const summary = await description.staticSummary();
    expect(summary).toMatch(/^.{60,120}$/u);
    expect(summary?.isWellFormed()).toBe(true);
  }
});
