import { randomUUID } from 'node:crypto';
import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGenerate } from '../../activities/generate.ts';
import { PlumblineError } from '../../client/failures.ts';
import type { Access } from '../../domain/contracts/access.ts';
import { defaultTaskQueue } from '../../workflows/messages.ts';
import { dependencies, modelsAt, stored } from '../activities/model-steps.ts';
import { openApiHouse, type ApiHouse } from '../api/api-house.ts';
import { questionWorker } from '../support/question-runs.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { plumbline } from './cli-process.ts';

let house: ApiHouse;
let provider: ProviderServer;
let worker: Worker;
let working: Promise<void>;
let env: Record<string, string>;
const question = 'What is the late fee?';
const written = 'The fee for paying late is 9.';
const access: Access = { tenant: 'main', user: 'owner', groups: ['staff'] };

/** All is scripted but the writing: by a model behind the official SDK, or, where the policy has it so, the source's own words. */
beforeAll(async () => {
  house = await openApiHouse();
  provider = await startProviderServer({
    respond: ({ schemaName, model }) => {
      if (model === 'broken') return { status: 401, body: { error: { message: 'no such key' } } };
      return schemaName === 'answer'
        ? { says: { statements: [{ text: written, sources: ['s1'] }], unanswered: [] } }
        : undefined;
    },
  });
  const { activities } = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
  const deps = await dependencies(modelsAt(provider), [await stored('p1', ['The late fee is 9.'])]);
  const generate = createGenerate({ ...deps, events: house.events });
  const started = await questionWorker({
    connection: house.env.nativeConnection,
    taskQueue: defaultTaskQueue,
    activities: { ...activities, generate },
  });
  worker = started.worker;
  working = worker.run();
  env = { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: house.token };
});
afterAll(async () => {
  worker.shutdown();
  await working;
  await provider.close();
  await house.close();
});
beforeEach(() => provider.clear());

const asked = async () => {
  const { id, result } = await house.plumbline.ask(access, { question });
  return { id, outcome: await result() };
};
const large = { generate: { provider: 'openai' as const, model: 'large' } };
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('a fork', () => {
  test('under another model really has that model asked, and is compared with the original', async () => {
    const { id, outcome } = await asked();
    expect(provider.calls()).toBe(0);
    const fork = await house.plumbline.fork(access, id, { models: large });
    const forked = await fork.result();
    expect(provider.journal.map(({ request }) => [request.protocol, request.model])).toEqual([['openai', 'large']]);
    expect(forked).toMatchObject({ answer: `${written} [1]`, versions: { models: { generate: 'openai/large' } } });
    const comparison = await house.plumbline.compare(access, id, fork.id);
    expect(comparison).toMatchObject({
      models: { generate: { first: 'local/extractive', second: 'openai/large' } },
      answer: { first: outcome.answer, second: forked.answer, same: false },
      statements: { both: [], onlyFirst: ['The late fee is 9.'], onlySecond: [written] },
      costUsd: { first: 0, second: forked.usage.costUsd, difference: forked.usage.costUsd },
    });
    expect(forked.usage.costUsd).toBeGreaterThan(0);
  });

  test('under a model that cannot be used fails as a question under such a policy does', async () => {
    const { id } = await asked();
    const fork = await house.plumbline.fork(access, id, {
      models: { generate: { provider: 'openai', model: 'broken' } },
    });
    expect(await refusal(fork.result())).toMatchObject({ name: 'RunFailedError', code: 'Model.Unauthorized' });
    expect(await house.plumbline.compare(access, id, fork.id)).toMatchObject({
      status: { first: 'answered', second: 'failed' },
      reason: { second: { code: 'Model.Unauthorized' } },
      evidence: null,
    });
  });

  test('under an idempotency key is one run, whatever the order of the roles', async () => {
    const { id } = await asked();
    const check = { provider: 'openai' as const, model: 'large' };
    const idempotencyKey = randomUUID();
    const first = await house.plumbline.fork(access, id, { models: { ...large, check }, idempotencyKey });
    const again = await house.plumbline.fork(access, id, { models: { check, ...large }, idempotencyKey });
    expect(again).toMatchObject({ id: first.id, forkOf: id });
    const other = await refusal(house.plumbline.fork(access, id, { models: large, idempotencyKey }));
    expect(other).toMatchObject({ code: 'Question.KeyReused' });
  });

  test('of a question that its asker may not see is refused as one that is not there', async () => {
    const { id } = await asked();
    for (const stranger of [
      { ...access, tenant: 'birch' },
      { ...access, groups: [] },
    ]) {
      const error = await refusal(house.plumbline.fork(stranger, id));
      expect(error).toBeInstanceOf(PlumblineError);
      expect(error).toMatchObject({ code: 'Question.NotFound' });
    }
  });
});

describe('plumbline runs fork', () => {
  test('shows the steps aside and prints what differs in two columns of 80 together', async () => {
    const { id } = await asked();
    const { exitCode, stdout, stderr } = await plumbline(['runs', 'fork', id, '--model', 'generate=openai/large'], {
      env,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/✓ generate[\s\S]*answered/);
    const lines = stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe(`original ${id}`);
    expect(lines[1]).toMatch(/^fork {5}[0-9a-f-]{36}$/);
    expect(stdout).toMatch(/^ {14}original {26}fork$/m);
    expect(stdout).toMatch(/^ {2}policy {6}default@1 {25}default@1$/m);
    expect(stdout).toMatch(/^≠ generate {4}local\/extractive {18}openai\/large$/m);
    expect(stdout).toMatch(/^ {2}verdict {5}CORRECT {27}CORRECT$/m);
    expect(stdout).toMatch(/^≠ answer {6}The late fee is 9\. \[1\] {12}The fee for paying late is 9\.$/m);
    expect(stdout).toMatch(/^≠ cost {8}\$0\.000000 {25}\$\d\.\d{6} \(\+\$\d\.\d{6}\)$/m);
    const shown = await plumbline(['runs', 'show', lines[1]?.slice(-36) ?? ''], { env });
    expect(shown.stdout).toContain(`Fork of ${id}`);
  });

  test('with --json prints the comparison and nothing else; runs compare prints the same of the two', async () => {
    const { id } = await asked();
    const { exitCode, stdout, stderr } = await plumbline(['runs', 'fork', id, '--policy', 'web', '--json'], { env });
    expect([exitCode, stderr]).toEqual([0, '']);
    const comparison = JSON.parse(stdout) as { ids: { second: string } };
    expect(comparison).toMatchObject({ ids: { first: id }, policy: { first: 'default@1', second: 'web@1' } });
    const again = await plumbline(['runs', 'compare', id, comparison.ids.second, '--json'], { env });
    expect(JSON.parse(again.stdout)).toEqual(comparison);
    const table = await plumbline(['runs', 'compare', comparison.ids.second, id], { env });
    expect(table.stdout).toMatch(/^≠ policy {6}web@1 {29}default@1$/m);
  });

  test('with --no-wait prints the id of the new run; runs show lists it with the original', async () => {
    const { id } = await asked();
    const { exitCode, stdout } = await plumbline(['runs', 'fork', id, '--no-wait'], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    let shown = '';
    for (let left = 20; left > 0 && !shown.includes('Forks'); left--)
      shown = (await plumbline(['runs', 'show', id], { env })).stdout;
    expect(shown).toMatch(new RegExp(`^Forks\n {2}${stdout.trim()} (running|answered) default$`, 'm'));
  });

  test('exits 1 when the fork failed, and still compares', async () => {
    const { id } = await asked();
    const { exitCode, stdout } = await plumbline(['runs', 'fork', id, '--model', 'generate=openai/broken'], { env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^≠ status {6}answered {26}failed$/m);
    expect(stdout).toContain('Model.Unauthorized');
  });

  test.each<[string, string[], RegExp]>([
    ['a model without a role', ['--model', 'openai/large'], /role=provider\/model.*generate.*openai-compatible/],
    ['an unknown provider', ['--model', 'generate=acme/large'], /provider of local/],
    ['an unknown policy', ['--policy', 'reckless'], /known are: .*default/],
    ['a model that would be idle', ['--model', 'grade=openai/large'], /grading\.method is local/],
  ])('exits 2 for %s', async (_name, args, message) => {
    const { id } = await asked();
    const { exitCode, stdout, stderr } = await plumbline(['runs', 'fork', id, ...args], { env });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
