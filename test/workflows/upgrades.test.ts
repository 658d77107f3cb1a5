import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { AnswerActivities } from '../../activities/index.ts';
import { askedMemo } from '../../client/asker.ts';
import { startQuestion } from '../../client/start-question.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import { versioned } from '../../worker/create-worker.ts';
import { recordedRun, replayHistory } from '../../worker/replay.ts';
import type { answerQuestion } from '../../workflows/answer-question.ts';
import { browserQueueOf, defaultTaskQueue, webQueueOf } from '../../workflows/messages.ts';
import { access, bundle, defaultPolicy } from '../support/question-runs.ts';
import { decide, reviewedPolicy, waits } from '../support/review-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer, quietRuntime } from '../support/servers.ts';

type Handle = WorkflowHandle<typeof answerQuestion>;

const deploymentName = 'plumbline';
const question = 'What is the late fee?';

/** Asks the web, and a browser for what that found. */
const withBrowser: Policy = {
  ...defaultPolicy,
  tiers: ['web'],
  web: { ...defaultPolicy.web, mode: 'allowed', relevant: 0.6, browser: true },
};

const steps = scriptedSteps({
  search: (query) => (query === 'penalty' ? [{ id: 'p2', score: 0.9 }] : [{ id: 'p1', score: 0.1 }]),
}).activities;
const unread = { evidence: [], unread: ['https://example.com/fees'], sent: question, note: null, asks: false };

let env: TestWorkflowEnvironment;
let cli: string;
let present: { code: string };
let patched: { code: string };
beforeAll(async () => {
  quietRuntime();
  const workflowsPath = join(import.meta.dirname, 'fixtures', 'patched-workflow.ts');
  [env, { path: cli }, present, patched] = await Promise.all([
    devServer(),
    ensureTemporalCli(loadSettings(process.env)),
    bundle(),
    bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') }),
  ]);
});
afterAll(() => env.teardown());

/** Which build did which step of a run, in order. */
const done = new Map<string, string[]>();
/** Where the first search of a run that asks the web waits. */
const gate = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };

function stepsOf(build: string): AnswerActivities {
  const all: AnswerActivities = {
    ...steps,
    retrieve: async (input) => {
      const found = await steps.retrieve(input);
      if (shortRun === Context.current().info.workflowExecution?.workflowId) {
        gate.reached.resolve();
        await gate.released.promise;
      }
      return found;
    },
    searchWeb: async (input) => ({ ...(await steps.searchWeb(input)), ...unread }),
  };
  const noted = Object.entries(all).map(([name, step]) => [
    name,
    (input: never) => {
      const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
      done.set(workflowId, [...(done.get(workflowId) ?? []), `${build} ${name}`]);
      return (step as (input: never) => unknown)(input);
    },
  ]);
  return Object.fromEntries(noted) as AnswerActivities;
}

/** The workers of a build as the product has them; `null`: of none. */
async function deploy(buildId: string | null, workflowBundle: { code: string }): Promise<{ stop(): Promise<void> }> {
  const { searchWeb, renderPages: _, ...activities } = stepsOf(buildId ?? 'none');
  const build = versioned(buildId === null ? null : { deploymentName, buildId });
  const connection = env.nativeConnection;
  const sinks = { events: { publish: { fn: () => undefined } } };
  const workers = await Promise.all([
    Worker.create({ ...build, connection, taskQueue: defaultTaskQueue, workflowBundle, activities, sinks }),
    Worker.create({ ...build, connection, taskQueue: webQueueOf(defaultTaskQueue), activities: { searchWeb } }),
  ]);
  const runs = workers.map((worker) => worker.run());
  return {
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(runs);
    },
  };
}

/** As docs/operations.md says. Temporal refuses until it has heard of all the build's workers. */
async function makeCurrent(buildId: string): Promise<void> {
  const version = ['--deployment-name', deploymentName, '--build-id', buildId];
  const args = ['worker', 'deployment', 'set-current-version', ...version, '--address', env.address, '--yes'];
  for (let tries = 1; ; tries++) {
    try {
      return void (await promisify(execFile)(cli, args));
    } catch (error) {
      if (tries === 60) throw error;
      await pause(250);
    }
  }
}

let shortRun = '';
async function ask(policy: Policy): Promise<Handle> {
  const workflowId = questionWorkflowId(access.tenant, randomUUID());
  if (policy === withBrowser) shortRun = workflowId;
  const input = { question, access, policy };
  await startQuestion(env.client, { workflowId, input, memo: askedMemo(access, { question }) });
  return env.client.workflow.getHandle<typeof answerQuestion>(workflowId);
}

async function buildOf(handle: Handle) {
  const { versioningInfo } = (await handle.describe()).raw.workflowExecutionInfo ?? {};
  return versioningInfo?.deploymentVersion?.buildId;
}
const buildsIn = (lines: string[]) => [...new Set(lines.map((line) => line.split(' ')[0]))];

describe('an upgrade from build 1 to build 2, whose workflow was changed with a patch', () => {
  test('a short run ends on build 1, runs that wait for a person go on on build 2, a new run begins there', async () => {
    const browser = await Worker.create({
      connection: env.nativeConnection,
      taskQueue: browserQueueOf(defaultTaskQueue),
      activities: { renderPages: stepsOf('browser').renderPages },
    });
    await browser.runUntil(async () => {
      const before = await deploy(null, present);
      const oldest = await ask(reviewedPolicy());
      await waits(oldest);
      await before.stop();

      const one = await deploy('1', present);
      await makeCurrent('1');
      const waiting = await ask(reviewedPolicy());
      await waits(waiting);
      const short = await ask(withBrowser);
      await gate.reached.promise;

      const two = await deploy('2', patched);
      await makeCurrent('2');
      const fresh = await ask(defaultPolicy);
      expect(await fresh.result()).toMatchObject({ status: 'abstained' });
      expect(buildsIn(done.get(fresh.workflowId) ?? [])).toEqual(['2']);
      expect(await patchesIn(fresh)).toBe(1);

      gate.released.resolve();
      expect(await short.result()).toMatchObject({ status: 'answered' });
      const didShort = done.get(short.workflowId) ?? [];
      expect(didShort).toEqual(expect.arrayContaining(['1 searchWeb', 'browser renderPages', '1 generate']));
      expect(buildsIn(didShort)).toEqual(['1', 'browser']);
      expect(await buildOf(short)).toBe('1');
      await one.stop();

      for (const [run, build] of [
        [oldest, 'none'],
        [waiting, '1'],
      ] as const) {
        const didBefore = done.get(run.workflowId) ?? [];
        expect(buildsIn(didBefore)).toEqual([build]);
        await decide(run, { kind: 'retry', query: 'penalty' });
        expect(await run.result()).toMatchObject({ status: 'answered', review: { decided: { kind: 'retry' } } });
        expect(buildsIn(done.get(run.workflowId)?.slice(didBefore.length) ?? [])).toEqual(['2']);
        expect(await buildOf(run)).toBe('2');
        expect(await patchesIn(run)).toBe(0);
        expect(await replayHistory(recordedRun(await run.fetchHistory()), patched)).toMatchObject({ ok: true });
      }
      await two.stop();
    });
  });
});

/** How often the run has passed a patch on its new way. */
async function patchesIn(handle: Handle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.markerRecordedEventAttributes?.markerName === 'core_patch').length;
}
