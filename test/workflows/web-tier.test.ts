import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { AnswerActivities } from '../../activities/index.ts';
import type { Conflict } from '../../domain/contracts/evidence.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { browserQueueOf, webQueueOf } from '../../workflows/messages.ts';
import { bundle, defaultPolicy, questionWorker, startQuestion } from '../support/question-runs.ts';
import { quietRuntime, timeSkippingServer } from '../support/servers.ts';
import { scriptedSteps, type Script } from '../support/scripted-steps.ts';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  quietRuntime();
  await bundle();
  env = await timeSkippingServer();
});
afterAll(() => env.teardown());

const withWeb: Policy = {
  ...defaultPolicy,
  tiers: ['rewrite', 'web'],
  web: { ...defaultPolicy.web, mode: 'allowed', relevant: 0.6 },
};

async function run(
  script: Script,
  {
    question,
    policy = withWeb,
    override = () => ({}),
    browser = false,
  }: {
    question?: string;
    policy?: Policy;
    override?: (s: AnswerActivities) => Partial<AnswerActivities>;
    browser?: boolean;
  } = {},
) {
  const taskQueue = `q-${randomUUID()}`;
  const { activities, calls } = scriptedSteps(script);
  const { searchWeb, renderPages, ...others } = { ...activities, ...override(activities) };
  const connection = env.nativeConnection;
  const { worker } = await questionWorker({ connection, taskQueue, activities: others });
  const webWorker = await Worker.create({
    connection,
    namespace: 'default',
    taskQueue: webQueueOf(taskQueue),
    activities: { searchWeb },
  });
  const browserWorker = await Worker.create({
    connection,
    namespace: 'default',
    taskQueue: browser ? browserQueueOf(taskQueue) : `nobody-${taskQueue}`,
    activities: { renderPages },
  });
  const served = <T>(work: Promise<T>) => webWorker.runUntil(browserWorker.runUntil(work));
  return served(
    worker.runUntil(async () => {
      const handle = await startQuestion(env.client, { taskQueue, policy, ...(question ? { question } : {}) });
      return { outcome: await handle.result(), calls };
    }),
  );
}

const nothing = () => [];
const onTheWeb = () => [{ id: 'web.w1', score: 0.9 }];

describe('the web tier', () => {
  test('answers what the corpus cannot, with the day on which the page was read', async () => {
    const { outcome } = await run({ search: () => [{ id: 'c1', score: 0.1 }], web: onTheWeb });
    expect(outcome).toMatchObject({
      status: 'answered',
      citations: [{ evidenceId: 'web.w1', origin: 'web', readAt: '2026-11-30T00:00:00.000Z' }],
    });
    expect(outcome.ledger.map(({ tier, found }) => [tier, found])).toEqual([
      ['rewrite', 0],
      ['web', 1],
    ]);
    expect(outcome.citations.map(({ evidenceId }) => evidenceId)).not.toContain('c1');
  });

  test('is not called when the corpus answers, nor for small talk', async () => {
    const good = await run({ search: () => [{ id: 'c1', score: 0.9 }], web: onTheWeb });
    expect(good.calls['searchWeb']).toBeUndefined();
    const thanks = await run({ search: nothing, web: onTheWeb }, { question: 'thanks!' });
    expect(thanks.calls).toEqual({ analyse: 1 });
  });

  test('keeps ambiguous passages beside what the web gives, and refines them while it is asked', async () => {
    const log: string[] = [];
    const { outcome } = await run(
      { search: () => [{ id: 'c1', score: 0.5 }], web: onTheWeb },
      {
        override: (steps) => ({
          searchWeb: async (input) => {
            log.push('web begins');
            await pause(300);
            log.push('web ends');
            return steps.searchWeb(input);
          },
          refine: (input) => {
            log.push(`refine ${input.passages.map(({ id }) => id).join()} after ${input.decided.ids.join()}`);
            return steps.refine(input);
          },
        }),
      },
    );
    expect(log.slice(0, 2).sort()).toEqual(['refine c1 after ', 'web begins']);
    expect(log.slice(2)).toEqual(['web ends', 'refine web.w1,c1 after c1']);
    expect(new Set(outcome.citations.map(({ origin }) => origin))).toEqual(new Set(['corpus', 'web']));
  });

  test('being down ends in an answer from what there is, or an abstention, never in a failed run', async () => {
    const down = () => ({
      searchWeb: () => Promise.reject(ApplicationFailure.nonRetryable('no connection', 'Web.Unavailable')),
    });
    const weak = await run({ search: () => [{ id: 'c1', score: 0.5 }] }, { override: down });
    expect(weak.outcome).toMatchObject({
      status: 'answered',
      degraded: [{ step: 'search-web', reason: 'Web.Unavailable' }],
    });
    const none = await run({ search: () => [{ id: 'c1', score: 0.1 }] }, { override: down });
    expect(none.outcome).toMatchObject({ status: 'abstained', degraded: [{ step: 'search-web' }] });
    expect(none.outcome.ledger.at(-1)).toMatchObject({ tier: 'web', note: 'the web search failed: Web.Unavailable' });
    expect(none.outcome.reason).toMatchObject({
      code: 'no_evidence',
      message: expect.stringMatching(/ The web could not be searched \(Web\.Unavailable\)\.$/),
    });
  });

  test('grades the web by its own thresholds', async () => {
    const thresholds: unknown[] = [];
    await run(
      { search: () => [{ id: 'c1', score: 0.1 }], web: onTheWeb },
      {
        override: (steps) => ({
          grade: (input) => {
            thresholds.push([input.evidenceIds[0], input.grading.relevant]);
            return steps.grade(input);
          },
        }),
      },
    );
    expect(thresholds).toEqual([
      ['c1', 0.7],
      ['web.w1', 0.6],
    ]);
  });

  test('an empty corpus is no reason not to look outside', async () => {
    const { outcome } = await run({ search: nothing, corpusEmpty: true, web: onTheWeb });
    expect(outcome).toMatchObject({ status: 'answered', citations: [{ origin: 'web' }] });
  });

  test('tells what was sent although the search failed after it', async () => {
    const failed = () => ({
      searchWeb: () =>
        Promise.reject(
          ApplicationFailure.create({
            message: 'no answer',
            type: 'Web.Timeout',
            nonRetryable: true,
            details: [{ calls: [], sent: 'late fee' }],
          }),
        ),
    });
    const { outcome } = await run({ search: () => [{ id: 'c1', score: 0.1 }] }, { override: failed });
    expect(outcome.ledger.at(-1)).toMatchObject({ tier: 'web', query: 'late fee', found: 0 });
  });

  test('names a page of the web by its address where it disagrees with a document', async () => {
    const conflict: Conflict = {
      spans: [
        { evidenceId: 'c1', start: 0 },
        { evidenceId: 'web.w1', start: 0 },
      ],
      documentIds: ['d-c1', 'd-web.w1'],
      values: ['9 days', '12 days'],
      preferred: 'd-c1',
    };
    const { outcome } = await run(
      { search: () => [{ id: 'c1', score: 0.5 }], web: onTheWeb },
      {
        override: (steps) => ({ refine: async (input) => ({ ...(await steps.refine(input)), conflicts: [conflict] }) }),
      },
    );
    expect(outcome.limitation).toBe('d-c1 says 9 days, file:web.w1.md says 12 days; d-c1 has the higher standing.');
  });
});

describe('with a policy that has the web asked ahead', () => {
  const ahead: Policy = { ...withWeb, web: { ...withWeb.web, ahead: true } };
  const [passing, bad, good] = [0.5, 0.1, 0.9];

  test('ambiguous evidence is rewritten and searched for while the web is asked', async () => {
    const log: string[] = [];
    const { outcome, calls } = await run(
      { search: (query) => [{ id: query.includes('?') ? 'c1' : 'c2', score: passing }], web: onTheWeb },
      {
        policy: ahead,
        override: (steps) => ({
          searchWeb: async (input) => {
            log.push(`web: ${input.query}`);
            await pause(500);
            log.push('web ends');
            return steps.searchWeb(input);
          },
          retrieve: (input) => {
            log.push(`retrieve: ${input.query}`);
            return steps.retrieve(input);
          },
        }),
      },
    );
    expect(log[0]).toBe('retrieve: What is the late fee?');
    expect(log.slice(1, 3).sort()).toEqual(['retrieve: late fee title c1', 'web: What is the late fee?']);
    expect(log.slice(3)).toEqual(['web ends']);
    expect(outcome.ledger.map(({ tier }) => tier)).toEqual(['rewrite', 'web']);
    expect(calls).toMatchObject({ searchWeb: 1, rewrite: 1 });
    expect(outcome.status).toBe('answered');
  });

  test.each([
    ['good', good, undefined],
    ['bad', bad, 1],
  ])('evidence that is %s is no reason to hurry', async (_, score, asked) => {
    const order: string[] = [];
    const { calls } = await run(
      { search: () => [{ id: 'c1', score }], web: onTheWeb },
      {
        policy: ahead,
        override: (steps) => ({
          searchWeb: (input) => (order.push('web'), steps.searchWeb(input)),
          rewrite: async (input) => (await pause(200), order.push('rewrite'), steps.rewrite(input)),
        }),
      },
    );
    expect(calls['searchWeb']).toBe(asked);
    if (asked) expect(order).toEqual(['rewrite', 'web']);
  });

  test('is not asked where the policy forbids it', async () => {
    const never: Policy = { ...ahead, web: { ...ahead.web, mode: 'never' } };
    const { outcome } = await run({ search: () => [{ id: 'c1', score: passing }] }, { policy: never });
    expect(outcome.ledger.map(({ tier }) => tier)).toEqual(['rewrite', 'web']);
  });
});

describe('pages that need their scripts', () => {
  const byBrowser: Policy = { ...withWeb, web: { ...withWeb.web, browser: true } };
  const url = 'https://app.example/';
  const override = (steps: AnswerActivities): Partial<AnswerActivities> => ({
    searchWeb: async (input) => ({
      ...(await steps.searchWeb(input)),
      unread: [url],
      note: '1 of 1 pages could not be read',
    }),
  });
  const script: Script = { search: () => [{ id: 'c1', score: 0.1 }] };

  test('are read by a browser where the policy says so', async () => {
    const { outcome, calls } = await run(script, { policy: byBrowser, override, browser: true });
    expect(calls['renderPages']).toBe(1);
    expect(outcome).toMatchObject({ status: 'answered', citations: [{ evidenceId: url, origin: 'web' }] });
  });

  test('are done without where no browser worker runs, and that is said', async () => {
    const { outcome } = await run(script, { policy: byBrowser, override });
    expect(outcome.status).toBe('abstained');
    expect(outcome.degraded).toEqual([
      { step: 'render-pages', reason: 'Step.TimedOut', instead: 'pages that need no scripts' },
    ]);
    expect(outcome.ledger.at(-1)?.note).toBe('1 of 1 pages could not be read; no browser read the rest: Step.TimedOut');
  });

  test('are left unread where the policy does not say so', async () => {
    const { outcome, calls } = await run(script, { override, browser: true });
    expect(calls['renderPages']).toBeUndefined();
    expect(outcome.status).toBe('abstained');
  });
});
