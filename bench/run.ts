/**
 * A whole embedded Plumbline with the sample corpus: the time from POST to outcome and what of it is not spent in steps, the grading decision,
 * and a hundred questions at once against the same steps without Temporal.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAnswerActivities } from '../activities/index.ts';
import { createInProcessEvents } from '../adapters/store/in-process-events.ts';
import { analyseQuestion } from '../domain/rules/analyse.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { ingestSamples } from '../launcher/samples.ts';
import type { Stack } from '../launcher/stack.ts';
import { plainPipeline } from './plain-pipeline.ts';
import { createReport } from './report.ts';
import { askOverHttp, wentStraight, type TimedOutcome } from './support/ask-over-http.ts';
import { searchQuery } from './support/retrieval-quality.ts';
import { sampleQuestions } from './support/sample-questions.ts';
import { elapsed, median, percentile } from './support/statistics.ts';
import { startTemporaryStack } from './support/temporary-stack.ts';

const atOnce = 100;
const passagesGraded = 8;

const report = createReport('run');

/** Texts that no cache knows yet. */
const rephrased = (questions: string[], lead: string) => questions.map((question) => `${lead} ${question}`);

/** One question after the other, each for the first time. */
async function measureLatency(stack: Stack, questions: string[]): Promise<TimedOutcome[]> {
  for (const question of rephrased(questions.slice(0, 8), 'For a colleague:')) await askOverHttp(stack, question);
  const timed: TimedOutcome[] = [];
  for (const question of questions) timed.push(await askOverHttp(stack, question));
  const straight = timed.filter(wentStraight);
  const walls = straight.map(({ ms }) => ms);
  report.note(`${straight.length} of ${questions.length} sample questions took the CORRECT path`);
  report.add('POST to outcome, CORRECT path, warm, p50 ms', median(walls), { atMost: 600 });
  report.add('POST to outcome, CORRECT path, warm, p95 ms', percentile(walls, 0.95), 'reported');
  report.add(
    'of it outside of the steps (orchestration), p50 ms',
    median(straight.map(({ ms, stepsMs }) => ms - stepsMs)),
    {
      atMost: 150,
    },
  );
  return straight;
}

/** The grade step alone, the question's vector included. */
async function measureGrading(stack: Stack, policy: Policy, questions: string[]) {
  const { index, embedding } = stack.adapters;
  const access = stack.principals.owner;
  const { grade } = createAnswerActivities({ ...stack.adapters, events: createInProcessEvents() });
  const environment = new MockActivityEnvironment();
  const times: number[] = [];
  for (const question of rephrased(questions, 'I should like to know this:')) {
    const query = { ...(await searchQuery(embedding, question.slice(0, 40), policy.retrieval)), text: question };
    const evidenceIds = [...new Set((await index.search(access, query)).knn.map(({ passageId }) => passageId))];
    const analysis = analyseQuestion(question);
    const input = {
      access,
      analysis,
      evidenceIds: evidenceIds.slice(0, passagesGraded),
      grading: policy.grading,
      judge: null,
    };
    if (input.evidenceIds.length < passagesGraded) throw new Error('the sample corpus has too few passages');
    times.push(await elapsed(() => environment.run(grade, input)));
  }
  report.add(`grading decision for ${passagesGraded} passages, p50 ms`, median(times), { atMost: 120 });
}

async function measureQueryEmbedding(stack: Stack, questions: string[]) {
  const times: number[] = [];
  for (const question of rephrased(questions, 'Please look up in short:')) {
    times.push(await elapsed(() => stack.adapters.embedding.embedQuery(question)));
  }
  report.add('embedding of a question, p50 ms', median(times), { atMost: 15 });
}

/** The same questions with the same caches: all at once through HTTP and Temporal, then in plain sequence without either. */
async function measureCrowd(stack: Stack, policy: Policy, questions: string[]) {
  const crowd = Array.from({ length: atOnce }, (_, at) => questions[at % questions.length] ?? '');
  const ended: PromiseSettledResult<TimedOutcome>[] = [];
  const together = await elapsed(async () => {
    ended.push(...(await Promise.allSettled(crowd.map((question) => askOverHttp(stack, question)))));
  });
  const failed = ended.filter(({ status }) => status === 'rejected');
  for (const { reason } of failed.slice(0, 3) as PromiseRejectedResult[]) report.note(`  failed: ${String(reason)}`);
  const perSecond = (ms: number) => (crowd.length * 1000) / ms;
  report.add(`${atOnce} questions at once: completed`, ended.length - failed.length, { atLeast: atOnce });
  report.add(`${atOnce} questions at once: runs per second`, perSecond(together), 'reported');

  const answer = plainPipeline(
    { ...stack.adapters, events: createInProcessEvents() },
    { access: stack.principals.owner, policy },
  );
  const plain = await elapsed(async () => {
    for (const question of crowd) await answer(question);
  });
  report.add('the same steps in plain sequence, without Temporal: per second', perSecond(plain), 'reported');
  report.add('runs at once / plain sequence, by questions per second', plain / together, 'reported');
}

const stack = await startTemporaryStack((line) => report.note(line));
try {
  const policy = stack.plumbline.policies.get('default');
  if (!policy) throw new Error('there is no default policy');
  const ingested = await ingestSamples(stack, stack.principals.owner, stack.dataDir);
  report.note(`sample corpus: ${ingested?.counts.passages} passages`);
  const questions = await sampleQuestions();
  const straight = await measureLatency(stack, questions);
  await measureGrading(stack, policy, questions);
  await measureQueryEmbedding(stack, questions);
  await measureCrowd(
    stack,
    policy,
    straight.map(({ outcome }) => outcome.question),
  );
} finally {
  await stack.stop();
}
await report.finish();
