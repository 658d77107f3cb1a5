import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createGenerate } from '../../activities/generate.ts';
import { createGrade } from '../../activities/grade.ts';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import { askedMemo } from '../../client/asker.ts';
import type { QuestionFilter } from '../../client/list-questions.ts';
import { startQuestion } from '../../client/start-question.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { defaultTaskQueue } from '../../workflows/messages.ts';
import { choices, dependencies, modelsAt, stored } from '../activities/model-steps.ts';
import { openApiHouse, type ApiHouse } from '../api/api-house.ts';
import { failure, type Answer } from '../support/provider-server/answers.ts';
import type { ProviderRequest } from '../support/provider-server/request.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { defaultPolicy, questionWorker } from '../support/question-runs.ts';
import { scriptedSteps, type Calls } from '../support/scripted-steps.ts';
import { plumbline } from './cli-process.ts';

const runs = 50;
const fee = 'The late fee is 9.';
const reason = 'Model.InsufficientQuota';

let house: ApiHouse;
let server: ProviderServer;
let calls: Calls;
let stop: () => Promise<void>;
let credit = true;
beforeAll(async () => {
  [house, server] = await Promise.all([openApiHouse(), startProviderServer({ respond })]);
  const steps = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
  ({ calls } = steps);
  const passages = [await stored('p1', [fee, 'It is due with the next bill after the delay.'])];
  const deps = { ...(await dependencies(modelsAt(server), passages)), events: createInProcessEvents() };
  const { worker } = await questionWorker({
    connection: house.env.nativeConnection,
    taskQueue: defaultTaskQueue,
    activities: { ...steps.activities, grade: createGrade(deps), generate: createGenerate(deps) },
  });
  const running = worker.run();
  stop = async () => {
    worker.shutdown();
    await running;
  };
});
afterAll(async () => {
  await stop();
  await house.close();
  await server.close();
});

/** Grades while there is credit; writes none of the answers without it. */
function respond({ protocol, schemaName }: ProviderRequest): Answer | undefined {
  if (schemaName === 'grade') return { says: { grades: [{ id: 'p1', score: 0.9, finding: 'full', aspects: ['a1'] }] } };
  if (schemaName !== 'answer') return undefined;
  if (credit) return { says: { statements: [{ text: fee, sources: ['s1'] }], unanswered: [] } };
  return protocol === 'openai'
    ? failure('openai', 429, { type: 'insufficient_quota', code: 'insufficient_quota' })
    : failure('anthropic', 400, { message: 'Your credit balance is too low to access the Anthropic API.' });
}

function policyOf(provider: 'openai' | 'anthropic'): Policy {
  const models = { ...defaultPolicy.models, grade: choices[provider], generate: choices[provider] };
  return { ...defaultPolicy, name: provider, grading: { ...defaultPolicy.grading, method: 'model' }, models };
}

async function start(provider: 'openai' | 'anthropic') {
  const { owner: access } = house.principals;
  const workflowId = questionWorkflowId(access.tenant, randomUUID());
  const request = { question: 'What is the late fee?' };
  const input = { ...request, access, policy: policyOf(provider) };
  await startQuestion(house.env.client, { workflowId, input, memo: askedMemo(access, request) });
  return house.env.client.workflow.getHandle(workflowId);
}

const cli = (...args: string[]) =>
  plumbline(['runs', ...args], { env: { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: house.token } });
/** Visibility lags behind. */
async function listed(count: number, filter: Partial<QuestionFilter>): Promise<void> {
  for (;;) {
    const found = await house.plumbline.list(house.principals.owner, { ...filter, limit: 200 });
    if (found.length === count) return;
  }
}
const asked = (schema: string) => server.journal.filter(({ request }) => request.schemaName === schema).length;

test('a provider out of credit fails 50 runs; when it is back all are resumed, and nothing before the draft is paid again', async () => {
  credit = false;
  const handles = await Promise.all(
    Array.from({ length: runs }, (_, n) => start(n % 2 === 0 ? 'openai' : 'anthropic')),
  );
  const failures = await Promise.allSettled(handles.map((handle) => handle.result()));
  expect(failures.map(({ status }) => status)).toEqual(handles.map(() => 'rejected'));
  expect([asked('grade'), asked('answer')]).toEqual([runs, runs]);
  await listed(runs, { status: 'failed', reason });

  const dry = await cli('resume', '--failed', '--type', reason, '--since', '1h', '--reason', "it's back");
  expect(dry.exitCode).toBe(0);
  const rows = dry.stdout.trim().split('\n');
  expect(rows).toHaveLength(1 + runs);
  expect(rows[1]).toMatch(
    /^[0-9a-f-]{36} {2}[0-9: -]{19} {2}Model\.InsufficientQuota {2}generate {2}What is the late fee\?$/,
  );
  expect(dry.stderr).toContain(`${runs} runs would be resumed. To do it:\n  plumbline runs resume --failed --type`);
  expect(dry.stderr).toContain(`--reason 'it'\\''s back' --yes`);
  expect(server.calls()).toBe(2 * runs);

  server.clear();
  credit = true;
  const others = await cli('resume', '--failed', '--type', 'Index.Unavailable', '--yes');
  expect([others.exitCode, others.stdout]).toEqual([0, '0 resumed, 0 could not be resumed.\n']);
  const done = await cli('resume', '--failed', '--type', reason, '--since', '1h', '--per-second', '100', '--yes');
  expect([done.exitCode, done.stdout]).toEqual([0, `${runs} resumed, 0 could not be resumed.\n`]);
  const outcomes = await Promise.all(
    handles.map(({ workflowId }) => house.env.client.workflow.getHandle(workflowId).result()),
  );
  expect(outcomes).toEqual(handles.map(() => expect.objectContaining({ status: 'answered', answer: `${fee} [1]` })));
  expect([asked('grade'), asked('answer')]).toEqual([0, runs]);
  expect(calls).toMatchObject({ analyse: runs, retrieve: runs });

  await listed(0, { status: 'failed' });
  const again = await cli('resume', '--failed', '--yes');
  expect([again.exitCode, again.stdout]).toEqual([0, '0 resumed, 0 could not be resumed.\n']);
}, 120_000);

test('a run with a bill is counted once after it was resumed', async () => {
  const usage = await house.plumbline.usage(house.principals.owner, new Date(Date.now() - 3_600_000));
  const { runs: counted, costUsd } = usage;
  const calls = (
    await Promise.all((await house.plumbline.list(house.principals.owner, { limit: 200 })).map(billOf))
  ).flat();
  expect(counted).toBe(runs);
  expect(costUsd).toBeCloseTo(
    calls.reduce((sum, cost) => sum + cost, 0),
    3,
  );
});

async function billOf({ id }: { id: string }): Promise<number> {
  const view = await house.plumbline.outcome(house.principals.owner, id);
  return 'usage' in view && view.usage ? view.usage.costUsd : 0;
}

test('one is resumed by its id, and followed to its answer', async () => {
  credit = false;
  const handle = await start('openai');
  await handle.result().catch(() => undefined);
  credit = true;
  const id = handle.workflowId.replace('question.main.', '');
  const { exitCode, stdout, stderr } = await cli('resume', id, '--reason', 'credit is back', '--wait');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('The late fee is 9. [1]');
  expect(stderr).toContain('Resumed from generate.');
  const ended = await cli('resume', id);
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toMatch(/has not failed, it has an outcome.*\n?.*name the step/);
});

test.each<[string, string[], RegExp]>([
  ['neither a run nor --failed', ['resume'], /Name the run/],
  ['a run and --failed', ['resume', 'x', '--failed'], /are for many runs/],
  ['--from for many', ['resume', '--failed', '--from', 'grade'], /are for one run/],
  ['a type that is none', ['resume', '--failed', '--type', "a' OR 'b"], /must be a reason/],
  ['a time that is none', ['list', '--since', 'yesterday'], /24h/],
  ['no rate', ['resume', '--failed', '--per-second', '0'], /0\.1 to 100/],
])('%s is wrong usage', async (_name, args, message) => {
  const { exitCode, stderr } = await cli(...args);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(message);
});
