import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflowCode, DefaultLogger, Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { bundle } from '../support/question-runs.ts';
import { quietRuntime } from '../support/servers.ts';
import { paths } from './paths.ts';

const folder = join(import.meta.dirname, '..', 'histories');
const recorded = readdirSync(folder).filter((name) => name.endsWith('.json'));
const historyOf = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** The largest payload in a recorded history, in bytes of base64. */
const largestPayload = (text: string) =>
  Math.max(...[...text.matchAll(/"data":\s*"([^"]*)"/g)].map(([, data]) => data?.length ?? 0));

let options: ReplayWorkerOptions;
beforeAll(async () => {
  quietRuntime();
  options = { workflowBundle: await bundle(), sinks: silentSinks };
});
const silentSinks = { events: { publish: { fn: () => undefined } } };

describe('recorded histories', () => {
  test('every path has one', () => {
    expect(recorded).toEqual(expect.arrayContaining(Object.keys(paths).map((name) => `${name}.json`)));
  });

  test.each(recorded)('%s replays with the present code', async (name) => {
    await expect(Worker.runReplayHistory(options, historyOf(name))).resolves.toBeUndefined();
  });

  test.each(recorded)('%s holds references, not texts: under 100 kB, no payload over 16 kB', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text.length).toBeLessThan(100_000);
    expect(largestPayload(text)).toBeLessThan(16_384);
  });

  test('a workflow changed without a patch is caught (the negative control)', async () => {
    const changed = await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, 'fixtures', 'changed-workflow.ts'),
      logger: new DefaultLogger('ERROR'),
    });
    const replayed = Worker.runReplayHistory(
      { workflowBundle: changed, sinks: silentSinks },
      historyOf('answered.json'),
    );
    await expect(replayed).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});
