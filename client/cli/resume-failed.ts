import { setTimeout as sleep } from 'node:timers/promises';
import type { Resumption } from '../plumbline-client.ts';
import type { QuestionSummary } from '../question-view.ts';
import type { ApiClient } from './api-client.ts';
import { RefusedError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { listRuns } from './list-runs.ts';
import { LiveRegion } from './live-region.ts';
import { colorsFor, printable, writeLines } from './output.ts';
import { printPlan, type ManyFlags, type PlannedRun } from './print-plan.ts';

const pageSize = 200;

/** Shows which failed runs would be resumed, and from where. @returns the exit code */
export async function showFailed(api: ApiClient, flags: ManyFlags): Promise<number> {
  const planned: PlannedRun[] = [];
  for await (const run of failedRuns(api, flags)) {
    const plan = await refusedOr(() => api.get<Resumption>(resumptionOf(run)));
    if (plan instanceof RefusedError) {
      // Visibility lags behind: it is under way again, or was deleted.
      if (plan.code === 'Run.NotFailed' || plan.code === 'Question.NotFound') continue;
      planned.push({ run, from: null, problem: plan.remedy ?? plan.message });
    } else planned.push({ run, from: plan.from ?? 'its last task', problem: null });
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(planned, null, 2)}\n`);
  else printPlan(planned, flags);
  return exitCodes.ok;
}

/** Resumes all failed runs at the given rate. Interrupted and started again, it goes on with those that are left. @returns the exit code */
export async function resumeFailed(api: ApiClient, flags: ManyFlags): Promise<number> {
  const runs: QuestionSummary[] = [];
  for await (const run of failedRuns(api, flags)) runs.push(run);
  const count = { resumed: 0, notFailed: 0 };
  const failures: { id: string; problem: string }[] = [];
  const region = new LiveRegion(process.stderr);
  const { dim } = colorsFor(process.stderr);
  try {
    for await (const run of paced(runs, flags.perSecond)) {
      const resumed = await refusedOr(() => api.post<Resumption>(resumptionOf(run), { reason: flags.reason }));
      if (!(resumed instanceof RefusedError)) count.resumed++;
      else if (resumed.code === 'Run.NotFailed') count.notFailed++;
      else failures.push({ id: run.id, problem: resumed.remedy ?? resumed.message });
      region.show([`${count.resumed} of ${runs.length} resumed`], dim);
    }
  } finally {
    region.clear();
    report({ ...count, failures }, flags.json);
  }
  return failures.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function failedRuns(api: ApiClient, { type, since }: ManyFlags): AsyncGenerator<QuestionSummary> {
  return listRuns(api, { status: 'failed', pageSize, ...(type ? { type } : {}), ...(since ? { since } : {}) });
}

function resumptionOf({ id }: QuestionSummary): string {
  return `/v1/questions/${encodeURIComponent(id)}/resumption`;
}

/** What the API answers for one run, or why it refuses. @throws CliError when it cannot be reached: then the others would fare no better */
async function refusedOr<T>(call: () => Promise<T>): Promise<T | RefusedError> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof RefusedError && error.exitCode !== exitCodes.unreachable) return error;
    throw error;
  }
}

/** Not more often than `perSecond`. */
async function* paced<T>(things: T[], perSecond: number): AsyncGenerator<T> {
  let next = performance.now();
  for (const thing of things) {
    await sleep(Math.max(0, next - performance.now()));
    next = performance.now() + 1000 / perSecond;
    yield thing;
  }
}

function report(
  counts: { resumed: number; notFailed: number; failures: { id: string; problem: string }[] },
  json: boolean,
): void {
  const { resumed, notFailed, failures } = counts;
  if (json) return void process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`);
  for (const { id, problem } of failures) writeLines(process.stderr, `✗ ${id}: ${printable(problem)}`);
  const others = notFailed === 0 ? '' : `${notFailed} under way again already, `;
  writeLines(process.stdout, `${resumed} resumed, ${others}${failures.length} could not be resumed.`);
}
