import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createCheckGrounding } from '../../activities/check-grounding.ts';
import { createGenerate } from '../../activities/generate.ts';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import type { TextEvent } from '../../domain/contracts/events.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { choices, dependencies, modelsAt, stored } from '../activities/model-steps.ts';
import type { Answer } from '../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import { bundle, defaultPolicy, questionWorker, startQuestion } from '../support/question-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer, quietRuntime } from '../support/servers.ts';

const fee = 'The late fee is 9.';

let env: TestWorkflowEnvironment;
let server: ProviderServer;
beforeAll(async () => {
  quietRuntime();
  await bundle();
  [env, server] = await Promise.all([devServer(), startProviderServer({ respond: () => undefined })]);
});
afterAll(async () => {
  await env.teardown();
  await server.close();
});
beforeEach(() => server.clear());

const policy: Policy = {
  ...defaultPolicy,
  generate: { maxStatements: 4, stream: 'draft' },
  models: { ...defaultPolicy.models, generate: choices.openai },
};
const says = (text: string) => ({ statements: [{ text, sources: ['s1'] }], unanswered: [] });
const answers = (...given: Answer[]) => server.respondWith(({ call }) => given[call - 1]);

/** A run whose last two steps are real; `told` is the text that its readers get. */
async function withRun(use: (run: Awaited<ReturnType<typeof startQuestion>>, told: TextEvent[]) => Promise<void>) {
  const taskQueue = `q-${randomUUID()}`;
  const events = createInProcessEvents();
  const { activities } = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
  const deps = { ...(await dependencies(modelsAt(server), [await stored('p1', [fee])])), events };
  const { worker } = await questionWorker({
    connection: env.nativeConnection,
    taskQueue,
    activities: { ...activities, generate: createGenerate(deps), checkGrounding: createCheckGrounding(deps) },
  });
  await worker.runUntil(async () => {
    const run = await startQuestion(env.client, { taskQueue, policy });
    const told: TextEvent[] = [];
    events.subscribe(run.workflowId, (event) => {
      if (!('seq' in event)) told.push(event);
    });
    await use(run, told);
  });
}

const kinds = (told: TextEvent[]) => told.map((event) => (event.type === 'text-delta' ? event.text : event.type));
const untilText = async (told: TextEvent[]) => {
  while (!told.some(({ type }) => type === 'text-delta')) await sleep(5);
};

describe('a run that is cancelled while its answer is streamed', () => {
  test('closes the connection to the provider within 2 s, calls it no more, and takes the text back', async () => {
    answers({ says: says(`${fee} `.repeat(40)), pieces: 400, pieceMs: 50 });
    await withRun(async (run, told) => {
      await untilText(told);
      const cancelled = performance.now();
      await run.cancel();
      await server.journal[0]?.ended;
      expect(performance.now() - cancelled).toBeLessThan(2000);
      expect(server.journal[0]?.closedEarly).toBe(true);
      await expect(run.result()).rejects.toThrow();
      expect((await run.describe()).status.name).toBe('CANCELLED');
      await sleep(300);
      expect(told.at(-1)?.type).toBe('text-reset');
      expect(server.calls()).toBe(1);
    });
  });

  test('has what its call cost until then in its bill', async () => {
    answers({ says: says(`${fee} `.repeat(40)), pieces: 400, pieceMs: 50 });
    await withRun(async (run, told) => {
      await untilText(told);
      await run.cancel();
      await expect(run.result()).rejects.toThrow();
      const { typedSearchAttributes } = await run.describe();
      expect(typedSearchAttributes.get(searchAttributes.costMicroUsd)).toBeGreaterThan(0);
    });
  });
});

test('a call that was answered with an error costs nothing, although its attempt had begun it', async () => {
  answers({ status: 500, body: { error: { message: 'away' } } }, { says: says(fee), pieces: 1 });
  await withRun(async (run) => {
    const outcome = await run.result();
    expect(outcome.usage.calls).toMatchObject([{ step: 'generate', estimated: false }]);
    expect(server.calls()).toBe(2);
  });
});

test('a stream that breaks in the middle is taken back and asked for again; both calls are counted', async () => {
  answers({ says: says(fee), pieces: 10, cut: { afterPieces: 5, by: 'reset' } }, { says: says(fee), pieces: 1 });
  await withRun(async (run, told) => {
    const outcome = await run.result();
    expect(outcome).toMatchObject({ status: 'answered', answer: `${fee} [1]` });
    expect(outcome.usage.calls.map(({ step, estimated }) => [step, estimated])).toEqual([
      ['generate', true],
      ['generate', false],
    ]);
    expect(kinds(told).slice(-3)).toEqual(['text-start', fee, 'text-end']);
    const resets = kinds(told).filter((kind) => kind === 'text-reset');
    expect(resets).toHaveLength(2);
    expect(kinds(told).indexOf('text-reset')).toBeLessThan(kinds(told).lastIndexOf('text-start'));
  });
});

test('a refused draft is revised with the reasons, and readers see the draft go before the new one comes', async () => {
  answers({ says: says('The late fee is 13.') }, { says: says(fee) });
  await withRun(async (run, told) => {
    const outcome = await run.result();
    expect(outcome).toMatchObject({ status: 'answered', answer: `${fee} [1]`, grounding: { status: 'pass' } });
    expect(server.journal[1]?.request.user).toContain(
      'refused in an earlier draft: "The late fee is 13.": the figure "13"',
    );
    const pieces = kinds(told);
    expect(pieces.slice(0, pieces.indexOf('text-reset')).join('')).toContain('13');
    expect(pieces.slice(pieces.indexOf('text-reset')).join('')).not.toContain('13');
    expect(server.calls()).toBe(2);
  });
});

test('what is refused twice never leaves: the run abstains', async () => {
  server.respondWith(() => ({ says: says('The late fee is 13.') }));
  await withRun(async (run) => {
    expect(await run.result()).toMatchObject({ status: 'abstained', answer: null, reason: { code: 'not_grounded' } });
    expect(server.calls()).toBe(2);
  });
});
