import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { recordedRun, replayHistory } from '../../worker/replay.ts';
import { bundle, startQuestion } from '../support/question-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer, quietRuntime } from '../support/servers.ts';
import { paths } from './paths.ts';

const folder = join(import.meta.dirname, '..', 'histories');
const recorded = readdirSync(folder).filter((name) => name.endsWith('.json'));
const historyOf = (name: string) => recordedRun(JSON.parse(readFileSync(join(folder, name), 'utf8')));
const withoutHistory = (names: string[]) => names.filter((name) => !recorded.includes(`${name}.json`));
const fixture = (name: string) =>
  bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'fixtures', name),
    logger: new DefaultLogger('ERROR'),
  });

/** The largest payload in a recorded history, in bytes of base64. */
const largestPayload = (text: string) =>
  Math.max(...[...text.matchAll(/"data":\s*"([^"]*)"/g)].map(([, data]) => data?.length ?? 0));

let present: { code: string };
beforeAll(async () => {
  quietRuntime();
  present = await bundle();
});

describe('recorded histories', () => {
  test('every path has one, and one without is told', () => {
    expect(withoutHistory(Object.keys(paths))).toEqual([]);
    expect(withoutHistory([...Object.keys(paths), 'answered-by-magic'])).toEqual(['answered-by-magic']);
  });

  test.each(recorded)('%s replays with the present code', async (name) => {
    expect(await replayHistory(historyOf(name), present)).toMatchObject({ ok: true, divergence: null });
  });

  test.each(recorded)('%s holds references, not texts: under 100 kB, no payload over 16 kB', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text.length).toBeLessThan(100_000);
    expect(largestPayload(text)).toBeLessThan(16_384);
  });
});

describe('a changed workflow', () => {
  let env: TestWorkflowEnvironment;
  let changed: { code: string };
  let patched: { code: string };
  beforeAll(async () => {
    [env, changed, patched] = await Promise.all([
      devServer(),
      fixture('changed-workflow.ts'),
      fixture('patched-workflow.ts'),
    ]);
  });
  afterAll(() => env.teardown());

  test('without a patch is caught in every history (the negative control)', async () => {
    for (const name of recorded) {
      const { ok, divergence } = await replayHistory(historyOf(name), changed);
      expect(ok).toBe(false);
      expect(divergence).toMatchObject({ step: 'analyse', message: expect.stringContaining('Nondeterminism error') });
    }
  });

  test('with one replays every history, and goes its new way in new runs, which need the patch from then on', async () => {
    for (const name of recorded) expect(await replayHistory(historyOf(name), patched)).toMatchObject({ ok: true });

    const taskQueue = `patched-${randomUUID()}`;
    const { activities } = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
    const worker = await Worker.create({
      connection: env.nativeConnection,
      taskQueue,
      workflowBundle: patched,
      sinks: { events: { publish: { fn: () => undefined } } },
      activities,
    });
    const history = await worker.runUntil(async () => {
      const handle = await startQuestion(env.client, { taskQueue });
      expect(await handle.result()).toMatchObject({ status: 'answered' });
      return handle.fetchHistory();
    });
    const run = recordedRun(JSON.parse(historyToJSON(history)));
    expect(run.events.some(({ timerStartedEventAttributes: timer }) => timer != null)).toBe(true);
    expect(await replayHistory(run, patched)).toMatchObject({ ok: true });
    expect(await replayHistory(run, present)).toMatchObject({
      ok: false,
      divergence: { expected: 'the patch pause-first' },
    });
  });
});
