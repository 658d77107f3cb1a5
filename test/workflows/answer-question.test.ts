import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { AnswerActivities } from '../../activities/index.ts';
import { progressQuery } from '../../workflows/messages.ts';
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

const relevant: Script = { search: () => [{ id: 'p1', score: 0.9 }] };

async function run(
  script: Script,
  options: { question?: string; policy?: Policy; override?: Partial<AnswerActivities> } = {},
) {
  const taskQueue = `q-${randomUUID()}`;
  const { activities, calls, queries } = scriptedSteps(script);
  const { worker, events } = await questionWorker({
    connection: env.nativeConnection,
    taskQueue,
    activities: { ...activities, ...options.override },
  });
  return worker.runUntil(async () => {
    const { question, policy = defaultPolicy } = options;
    const handle = await startQuestion(env.client, { taskQueue, policy, ...(question ? { question } : {}) });
    const outcome = await handle.result().catch((error: unknown) => {
      if (error instanceof WorkflowFailedError) return error;
      throw error;
    });
    const progress = await handle.query(progressQuery);
    return { outcome, calls, queries, progress, events: events.get(handle.workflowId) ?? [] };
  });
}

describe('answerQuestion', () => {
  test('answers from relevant evidence without any correction', async () => {
    const { outcome, calls } = await run(relevant);
    expect(outcome).toMatchObject({
      status: 'answered',
      verdict: 'CORRECT',
      answer: 'The late fee is 9. [1]',
      quality: { status: 'sufficient', missingAspects: [] },
      ledger: [],
      grounding: { status: 'pass' },
      evidence: [{ id: 'p1', label: 'relevant', used: true }],
      reason: null,
    });
    expect(calls).toEqual({ analyse: 1, retrieve: 1, grade: 1, refine: 1, generate: 1, checkGrounding: 1 });
  });

  test('weak evidence is corrected by a rewrite, which the ledger tells', async () => {
    const script: Script = {
      search: (query) =>
        query.endsWith('?')
          ? [{ id: 'weak', score: 0.4 }]
          : [
              { id: 'weak', score: 0.4 },
              { id: 'good', score: 0.9 },
            ],
    };
    const { outcome, queries } = await run(script);
    expect(outcome).toMatchObject({
      status: 'answered',
      ledger: [{ tier: 'rewrite', found: 1, verdict: 'CORRECT', query: queries[1] }],
    });
  });

  test('never loops: with nothing ever relevant it tries each tier once, searches nothing twice, and abstains', async () => {
    const { outcome, queries, calls } = await run(
      { search: (q) => [{ id: q.slice(0, 20), score: 0.1 }] },
      { question: "What colour is Zembla's flag?" },
    );
    expect(outcome).toMatchObject({
      status: 'abstained',
      verdict: 'INCORRECT',
      reason: { code: 'no_evidence' },
      answer: null,
      citations: [],
    });
    expect(new Set(queries).size).toBe(queries.length);
    expect(calls['retrieve']).toBeLessThanOrEqual(5);
    expect(calls['generate']).toBeUndefined();
    expect((outcome as { ledger: { tier: string }[] }).ledger.map(({ tier }) => tier)).toEqual([
      'rewrite',
      'decompose',
    ]);
  });

  test('an empty corpus is said to be empty, not "nothing found"', async () => {
    const { outcome, calls } = await run({ search: () => [], corpusEmpty: true });
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'empty_corpus' } });
    expect(calls['rewrite']).toBeUndefined();
  });

  test.each([
    ['?', 'unclear_question'],
    ['thanks!', 'no_question'],
  ])('"%s" asks for clarification without any search', async (question, code) => {
    const { outcome, calls } = await run(relevant, { question });
    expect(outcome).toMatchObject({ status: 'needs_clarification', reason: { code } });
    expect(calls).toEqual({ analyse: 1 });
  });

  test('no sentence worth quoting ends as insufficient evidence', async () => {
    const { outcome } = await run({ ...relevant, strips: false });
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'insufficient_evidence' }, statements: [] });
  });

  test('an ungrounded draft is revised once, then given up: it never leaves', async () => {
    const { outcome, calls } = await run({
      search: () => [
        { id: 'p1', score: 0.9 },
        { id: 'p2', score: 0.8 },
      ],
      grounded: () => false,
    });
    expect(outcome).toMatchObject({
      status: 'abstained',
      reason: { code: 'not_grounded' },
      answer: null,
      statements: [],
      grounding: { status: 'fail' },
    });
    expect(calls['generate']).toBeLessThanOrEqual(2);
  });

  test('what could not be graded is uncertain: neither taken for relevant nor dropped', async () => {
    const failing = { grade: () => Promise.reject(ApplicationFailure.nonRetryable('no model', 'Model.NotInstalled')) };
    const { outcome } = await run(relevant, { override: failing });
    expect(outcome).toMatchObject({ verdict: 'AMBIGUOUS', evidence: [{ label: 'uncertain', score: null }] });
  });

  test('an index outage fails the run with its type after the attempts of the policy, never as "nothing found"', async () => {
    let attempts = 0;
    const { outcome } = await run(relevant, {
      override: {
        retrieve: () => {
          attempts++;
          return Promise.reject(
            ApplicationFailure.create({
              type: 'Index.Unavailable',
              message: 'connection refused',
              nonRetryable: false,
            }),
          );
        },
      },
    });
    expect(outcome).toBeInstanceOf(WorkflowFailedError);
    expect((outcome as WorkflowFailedError).cause).toMatchObject({
      type: 'Index.Unavailable',
      message: 'connection refused',
    });
    expect(attempts).toBe(4);
  });

  test('when a found document is replaced during the run, the run searches anew instead of answering from half of it', async () => {
    let reads = 0;
    const { activities } = scriptedSteps(relevant);
    const { outcome, calls } = await run(relevant, {
      override: {
        refine: (input) =>
          ++reads === 1
            ? Promise.reject(ApplicationFailure.nonRetryable('1 of 1 passages', 'Evidence.Gone'))
            : activities.refine(input),
      },
    });
    expect(outcome).toMatchObject({ status: 'answered' });
    expect(calls).toMatchObject({ retrieve: 2, grade: 2 });
  });

  test('a failed rewrite or refine does not fail the run', async () => {
    const broken = () => Promise.reject(ApplicationFailure.nonRetryable('broken', 'Internal'));
    const weak = await run({ search: () => [{ id: 'p1', score: 0.5 }] }, { override: { rewrite: broken } });
    expect(weak.outcome).toMatchObject({
      status: 'answered',
      ledger: [{ tier: 'rewrite', note: 'no new query to try' }, { tier: 'decompose' }],
    });
    const whole = await run(relevant, { override: { refine: broken } });
    expect(whole.outcome).toMatchObject({ status: 'answered', citations: [{ start: 0, end: 18 }] });
  });

  test('a grounding check that cannot run counts as not grounded', async () => {
    const { outcome } = await run(relevant, {
      override: { checkGrounding: () => Promise.reject(ApplicationFailure.nonRetryable('x', 'Internal')) },
    });
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'not_grounded' } });
  });

  test('a step that hangs is timed out, retried, and then fails the run as timed out', async () => {
    // Time does not skip while a step is under way, so its limits are short here.
    const generate = { startToCloseMs: 300, heartbeatMs: null, attempts: 2 };
    const policy = { ...defaultPolicy, steps: { ...defaultPolicy.steps, generate } };
    const { outcome } = await run(relevant, { policy, override: { generate: () => Context.current().cancelled } });
    expect((outcome as WorkflowFailedError).cause).toMatchObject({ type: 'Step.TimedOut' });
  });

  test('events are numbered without gaps, agree with the query, and end with exactly one terminal event', async () => {
    const { events, progress } = await run(relevant);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(progress.events).toEqual(events);
    expect(events.filter(({ type }) => type === 'run-end' || type === 'run-error')).toEqual([events.at(-1)]);
    expect(events.filter(({ type }) => type === 'step-start').length).toBe(
      events.filter(({ type }) => type === 'step-end').length,
    );
  });
});

describe('a cancelled run', () => {
  test('stops the step under way and ends as cancelled, with its terminal event', async () => {
    const taskQueue = `q-${randomUUID()}`;
    const stopped = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const { activities, calls } = scriptedSteps(relevant);
    const generate = async () => {
      began.resolve();
      const beat = setInterval(() => Context.current().heartbeat(), 100);
      try {
        return await Context.current().cancelled;
      } finally {
        clearInterval(beat);
        stopped.resolve();
      }
    };
    const { worker, events } = await questionWorker({
      connection: env.nativeConnection,
      taskQueue,
      activities: { ...activities, generate },
    });
    await worker.runUntil(async () => {
      const handle = await startQuestion(env.client, { taskQueue });
      await began.promise;
      await handle.cancel();
      const error = await handle.result().then(
        () => null,
        (e: unknown) => e,
      );
      await stopped.promise;
      expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
      expect(events.get(handle.workflowId)?.at(-1)).toMatchObject({ type: 'run-error', reason: 'Run.Cancelled' });
      expect(calls['checkGrounding']).toBeUndefined();
    });
  });
});
