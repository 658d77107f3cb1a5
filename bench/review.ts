/**
 * `npm run bench:review`: `plumbline up` as a process of its own with the sample corpus: how soon a run goes on after a decision, many runs that wait
 * for a reviewer at once and are all decided by a script, the histories of reviewed runs, and failed runs that are resumed once they are paid again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleQuestions } from '../test/support/sample-questions.ts';
import { createReport } from './report.ts';
import { decisionTimes } from './support/decision-times.ts';
import { CreditedProvider, resumedRuns } from './support/out-of-credit.ts';
import { plumblineUp, type PlumblineUp } from './support/plumbline-up.ts';
import { reviewedHistories, type ReviewedHistory } from './support/reviewed-histories.ts';
import { reviewPolicies } from './support/review-policies.ts';
import { Reviewer } from './support/reviewer.ts';
import { median, percentile } from './support/statistics.ts';
import { waitingRuns } from './support/waiting-runs.ts';

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    waiting: { type: 'string', default: '1000' },
  },
});
const runs = Number(flags.runs);
const waiting = Number(flags.waiting);
const report = createReport('review');

const ofStaff = sampleQuestions.filter(({ groups }) => groups.every((group) => group === 'staff'));
/** As many as wanted, in turn. */
const take = <T>(all: readonly T[], count: number) => Array.from({ length: count }, (_, n) => all[n % all.length] as T);
/** No two with the same text, so that no cache knows them. */
const unanswerable = (count: number) =>
  take(
    ofStaff.filter((sample) => sample.expect === 'abstained'),
    count,
  ).map(({ question }, n) => `Case ${n + 1}. ${question}`);

async function decisions({ service }: PlumblineUp): Promise<void> {
  await decisionTimes(service, unanswerable(5), { kind: 'confirm' });
  const confirmed = await decisionTimes(service, unanswerable(Math.ceil(runs / 2)), { kind: 'confirm' });
  const retried = await decisionTimes(service, unanswerable(Math.floor(runs / 2)), { kind: 'retry', hint: 'harbour' });
  const all = [...confirmed, ...retried];
  const continued = all.map(({ continuedMs }) => continuedMs);
  report.add(`decision to run continued, ${all.length} runs, p50 ms`, median(continued), { atMost: 200 });
  report.add('decision to run continued, p95 ms', percentile(continued, 0.95), 'reported');
  for (const [kind, times] of Object.entries({ confirmed, retried }))
    report.note(`  ${kind}: p50 ${median(times.map(({ continuedMs }) => continuedMs)).toFixed(0)} ms`);
  report.add('decision to its answer, p50 ms', median(all.map(({ answeredMs }) => answeredMs)), 'reported');
}

async function manyWaiting(up: PlumblineUp, reviewer: Reviewer): Promise<void> {
  const { listed, openedInMs, memory, ...inbox } = await waitingRuns(up, reviewer, unanswerable(waiting));
  report.add('runs that wait for a reviewer at once', listed, { atLeast: waiting });
  report.note(`  all waited ${(openedInMs / 1000).toFixed(0)} s after the first was asked`);
  const { pagesMs, decidedInMs, endedInMs } = inbox;
  report.add(`inbox page of 50, ${pagesMs.length} pages, p50 ms`, median(pagesMs), { atMost: 300 });
  report.add('inbox page of 50, p95 ms', percentile(pagesMs, 0.95), { atMost: 300 });
  report.add('memory growth while they wait, MB', memory.waited - memory.opened, { atMost: 100 });
  report.add('memory growth from none to all waiting, MB', memory.waited - memory.warm, { atMost: 100 });
  report.add('all decided over HTTP, s', decidedInMs / 1000, { atMost: 120 });
  report.add('the last run ended after the first decision, s', endedInMs / 1000, { atMost: 120 });
  report.add('decisions a second', (listed * 1000) / decidedInMs, 'reported');
  report.add('decisions that failed', inbox.failed, { atMost: 0 });
  report.add('runs lost', inbox.lost, { atMost: 0 });
}

async function histories({ temporalAddress }: PlumblineUp, reviewer: Reviewer): Promise<void> {
  const usual = await reviewedHistories(temporalAddress, reviewer, { runs: 20, characters: 2500 });
  const longest = await reviewedHistories(temporalAddress, reviewer, { runs: 5, characters: 20_000 });
  const sizes = (which: ReviewedHistory[], size: 'jsonBytes' | 'serverBytes') => which.map((one) => one[size]);
  const most = (values: number[]) => Math.max(...values);
  const answered = usual.filter(({ status }) => status === 'answered').length;
  const passages = median(usual.map((one) => one.passages));
  report.note(
    `  histories with evidence added: ${answered} of ${usual.length} answered; ${passages} passages found, p50`,
  );
  const limit = { atMost: 100_000 };
  report.add('history of a reviewed run, on the server, median bytes', median(sizes(usual, 'serverBytes')), limit);
  report.add('history of a reviewed run, on the server, largest bytes', most(sizes(usual, 'serverBytes')), limit);
  report.add('the same as JSON, median bytes', median(sizes(usual, 'jsonBytes')), 'reported');
  report.add('the same as JSON, largest bytes', most(sizes(usual, 'jsonBytes')), 'reported');
  report.add('with a text of 20,000 characters, largest bytes', most(sizes(longest, 'serverBytes')), 'reported');
  report.add('the same as JSON, 20,000 characters, largest bytes', most(sizes(longest, 'jsonBytes')), 'reported');
}

async function resumed(provider: CreditedProvider, reviewer: Reviewer): Promise<void> {
  const answerable = ofStaff.filter(({ expect }) => expect === 'answered').map(({ question }) => question);
  const { failed, answered, callsARun, repeated } = await resumedRuns(provider, reviewer, take(answerable, runs));
  report.note(`  out of credit: ${callsARun} paid calls a run that nothing disturbs`);
  report.add(`out of credit: of ${runs} runs, failed`, failed, { atLeast: runs });
  report.add('credit back and resumed: answered', answered, { atLeast: runs });
  report.add('paid calls that were repeated', repeated, { atMost: 0 });
}

const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-review-'));
const provider = await CreditedProvider.start();
try {
  const up = await plumblineUp({
    ...(await reviewPolicies(folder)),
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: provider.server.openaiUrl,
  });
  try {
    const reviewer = new Reviewer(up.service);
    await decisions(up);
    await manyWaiting(up, reviewer);
    await histories(up, reviewer);
    await resumed(provider, reviewer);
  } finally {
    await up.stop();
  }
} finally {
  await provider.server.close();
  await rm(folder, { recursive: true, force: true });
}
await report.finish();
