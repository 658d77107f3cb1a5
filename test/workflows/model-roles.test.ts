import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { AnswerActivities } from '../../activities/index.ts';
import { resumedCallLog } from '../../activities/call-log.ts';
import type { Outcome, UsageCall } from '../../domain/contracts/answer.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
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

const model: ModelChoice = {
  provider: 'openai',
  model: 'large',
  maxOutputTokens: 1000,
  temperature: null,
  effort: null,
};
const { grade, rewrite, generate, check } = { grade: model, rewrite: model, generate: model, check: model };
const paid: Policy = {
  ...defaultPolicy,
  grading: { ...defaultPolicy.grading, method: 'cascade' },
  models: { ...defaultPolicy.models, grade, rewrite, generate, check },
};

const call = (step: string, costUsd: number | null): UsageCall => ({
  step,
  model: 'openai/large',
  prompt: `${step}@1.0.0`,
  inputTokens: 100,
  cachedInputTokens: 20,
  cacheWriteTokens: 0,
  outputTokens: 10,
  estimated: false,
  costUsd,
  ms: 5,
});
/** Of a call that has begun. */
const estimate: UsageCall = { ...call('generate', 0.07), outputTokens: 0, estimated: true };
const relevant: Script = { search: () => [{ id: 'p1', score: 0.9 }] };
const outOfCredit = (calls: UsageCall[] = []) =>
  ApplicationFailure.create({
    type: 'Model.InsufficientQuota',
    message: 'no credit',
    nonRetryable: true,
    details: [{ calls }],
  });

async function run(
  policy: Policy,
  override: (steps: AnswerActivities) => Partial<AnswerActivities>,
  script = relevant,
) {
  const taskQueue = `q-${randomUUID()}`;
  const { activities, calls } = scriptedSteps(script);
  const { worker, texts } = await questionWorker({
    connection: env.nativeConnection,
    taskQueue,
    activities: { ...activities, ...override(activities) },
  });
  return worker.runUntil(async () => {
    const handle = await startQuestion(env.client, { taskQueue, policy });
    const outcome = await handle.result().catch((error: unknown) => error as Error);
    const { typedSearchAttributes } = await handle.describe();
    const cost = typedSearchAttributes.get(searchAttributes.costMicroUsd);
    return { outcome: outcome as Outcome, calls, cost, texts: texts.get(handle.workflowId) ?? [] };
  });
}

describe('what models cost', () => {
  test('is summed over all steps, told in the outcome, and searchable in millionths of a dollar', async () => {
    const { outcome, cost } = await run(paid, (steps) => ({
      grade: async (input) => ({ ...(await steps.grade(input)), calls: [call('grade', 0.001)] }),
      generate: async (input) => ({ ...(await steps.generate(input)), calls: [call('generate', 0.0000027)] }),
    }));
    expect(outcome.usage).toMatchObject({
      inputTokens: 200,
      cachedInputTokens: 40,
      outputTokens: 20,
      costUsd: 0.001003,
      estimated: false,
    });
    expect(outcome.usage.calls.map(({ step }) => step)).toEqual(['grade', 'generate']);
    expect(outcome.versions).toMatchObject({
      prompts: 'generate@1.0.0, grade@1.0.0',
      models: { generate: 'openai/large', refine: 'local/logistic' },
    });
    expect(cost).toBe(1003);
  });

  test('a call without a known price makes the sums an estimate', async () => {
    const { outcome } = await run(paid, (steps) => ({
      generate: async (input) => ({ ...(await steps.generate(input)), calls: [call('generate', null)] }),
    }));
    expect(outcome.usage).toMatchObject({ costUsd: 0, estimated: true });
  });

  test('counts what a step paid before it failed, and what earlier attempts paid, once each', async () => {
    const { outcome } = await run(paid, (steps) => ({
      grade: async (input) => {
        if (input.judge !== null) throw outOfCredit([call('grade', 0.01)]);
        return steps.grade(input);
      },
      generate: async (input) => {
        const log = resumedCallLog();
        log.begin(estimate)(call('generate', 0.1));
        if (Context.current().info.attempt === 1) throw new Error('connection reset');
        return { ...(await steps.generate(input)), calls: log.all() };
      },
    }));
    expect(outcome.usage.calls.map(({ step }) => step)).toEqual(['grade', 'generate', 'generate']);
    expect(outcome.usage.costUsd).toBe(0.21);
  });

  test('counts a call that was in flight when its worker died, as an estimate; one that cost nothing is left out', async () => {
    const { steps } = defaultPolicy;
    const shortly: Policy = { ...paid, steps: { ...steps, generate: { ...steps.generate, heartbeatMs: 1000 } } };
    const resumed = Promise.withResolvers<void>();
    const { outcome } = await run(shortly, (scripted) => ({
      generate: async (input) => {
        const log = resumedCallLog();
        if (Context.current().info.attempt === 1) {
          log.begin(call('generate', 0.5))(null);
          log.begin(estimate);
          // Gives no more sign of life, as a killed worker.
          await resumed.promise;
          throw new Error('too late');
        }
        resumed.resolve();
        log.begin(estimate)(call('generate', 0.1));
        return { ...(await scripted.generate(input)), calls: log.all() };
      },
    }));
    expect(outcome.usage.calls).toEqual([estimate, call('generate', 0.1)]);
    expect(outcome.usage).toMatchObject({ costUsd: 0.17, estimated: true });
  });
});

describe('the cost ceiling', () => {
  const ceiling = (maxCostUsd: number): Policy => ({ ...paid, budget: { maxCostUsd } });

  test('stops further paid steps: the sources are quoted instead, as a partial answer that says why', async () => {
    const generators: string[] = [];
    const { outcome } = await run(ceiling(0.01), (steps) => ({
      grade: async (input) => ({ ...(await steps.grade(input)), calls: [call('grade', 0.01)] }),
      generate: async (input) => {
        generators.push(input.generator.provider);
        return steps.generate(input);
      },
    }));
    expect(generators).toEqual(['local']);
    expect(outcome).toMatchObject({ status: 'partially_answered', reason: { code: 'cost_ceiling' } });
    expect(outcome.limitation).toContain('0.01 USD');
  });

  test('not reached, it changes nothing', async () => {
    const { outcome } = await run(ceiling(0.02), (steps) => ({
      grade: async (input) => ({ ...(await steps.grade(input)), calls: [call('grade', 0.01)] }),
    }));
    expect(outcome).toMatchObject({ status: 'answered', reason: null });
  });

  test('an abstention after it says that the ceiling had a part in it', async () => {
    const { outcome } = await run(
      ceiling(0.01),
      (steps) => ({
        grade: async (input) => ({ ...(await steps.grade(input)), calls: [call('grade', 0.01)] }),
      }),
      { search: () => [{ id: 'p1', score: 0.1 }] },
    );
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'cost_ceiling' } });
  });
});

describe('a model that fails for good', () => {
  test('as judge leaves the local grades, and the run says so', async () => {
    const judges: unknown[] = [];
    const { outcome } = await run(paid, (steps) => ({
      grade: async (input) => {
        judges.push(input.judge?.provider ?? null);
        if (input.judge !== null) throw outOfCredit();
        return steps.grade(input);
      },
    }));
    expect(judges).toEqual(['openai', null]);
    expect(outcome).toMatchObject({
      status: 'answered',
      degraded: [{ step: 'grade', reason: 'Model.InsufficientQuota', instead: 'the local grades alone' }],
    });
  });

  test('as writer of searches is replaced by rules', async () => {
    const { outcome } = await run(
      paid,
      (steps) => ({
        rewrite: (input) => (input.writer.provider === 'local' ? steps.rewrite(input) : Promise.reject(outOfCredit())),
      }),
      { search: (query) => [{ id: query, score: query.endsWith('?') ? 0.4 : 0.9 }] },
    );
    expect(outcome).toMatchObject({
      status: 'answered',
      ledger: [{ tier: 'rewrite', found: 1 }],
      degraded: [{ step: 'rewrite', instead: 'rewritten by rules' }],
    });
  });

  test('as generator fails the run with its type, so that it can be resumed', async () => {
    const { outcome } = await run(paid, () => ({
      generate: () => Promise.reject(outOfCredit([call('generate', 0.5)])),
    }));
    expect((outcome as unknown as Error).cause).toMatchObject({
      type: 'Model.InsufficientQuota',
      message: 'no credit',
    });
  });

  test('as analyst is replaced by rules', async () => {
    const analysed: Policy = { ...paid, models: { ...paid.models, analyse: model } };
    const { outcome } = await run(analysed, (steps) => ({
      analyse: (input) => (input.analyst.provider === 'local' ? steps.analyse(input) : Promise.reject(outOfCredit())),
    }));
    expect(outcome).toMatchObject({
      status: 'answered',
      degraded: [{ step: 'analyse', instead: 'analysed by rules' }],
    });
  });
});

describe('a checking model that fails for good', () => {
  const entailed = (steps: AnswerActivities): Partial<AnswerActivities> => ({
    checkGrounding: (input) =>
      input.checker.provider === 'local' ? steps.checkGrounding(input) : Promise.reject(outOfCredit()),
  });

  test('leaves what the rules find in the quotes, and the run says so', async () => {
    const { outcome, calls } = await run(paid, entailed);
    expect(outcome).toMatchObject({
      status: 'answered',
      degraded: [{ step: 'check-grounding', reason: 'Model.InsufficientQuota', instead: 'checked by rules alone' }],
    });
    expect(calls['generate']).toBe(1);
  });

  test('costs no second draft, which it could not check either', async () => {
    const { outcome, calls, texts } = await run(
      { ...paid, generate: { ...paid.generate, stream: 'draft' } },
      entailed,
      { ...relevant, grounded: () => false },
    );
    expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'not_grounded' } });
    expect(calls['generate']).toBe(1);
    expect(texts.map(({ type }) => type)).toEqual(['text-reset']);
  });
});

test('a draft whose statements name no source that was given is not grounded, and is written anew', async () => {
  const revisions: unknown[] = [];
  const { outcome } = await run(paid, (steps) => ({
    generate: async (input) => {
      revisions.push(input.revision);
      const output = await steps.generate(input);
      return { ...output, statements: [], citations: [], dropped: 2 };
    },
  }));
  expect(revisions).toEqual([null, { reasons: [expect.stringContaining('named no source')] }]);
  expect(outcome).toMatchObject({ status: 'abstained', reason: { code: 'not_grounded' } });
});

test('what the generator could not answer is said to be missing', async () => {
  const { outcome } = await run(paid, (steps) => ({
    generate: async (input) => ({ ...(await steps.generate(input)), unanswered: ['a1'] }),
  }));
  expect(outcome).toMatchObject({
    status: 'partially_answered',
    quality: { missingAspects: ['What is the late fee'] },
  });
});

test('a refused statement goes back to the generator with what is wrong with it', async () => {
  const revisions: unknown[] = [];
  const { outcome } = await run(
    paid,
    (steps) => ({
      generate: (input) => {
        revisions.push(input.revision);
        return steps.generate({ ...input, refused: [] });
      },
    }),
    { ...relevant, grounded: (attempt) => attempt > 1 },
  );
  expect(revisions).toEqual([null, { reasons: ['"The late fee is 9.": another number'] }]);
  expect(outcome.status).toBe('answered');
});
