import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import { inParallel } from './in-parallel.ts';
import type { PlumblineUp } from './plumbline-up.ts';
import { residentAlone } from './process-memory.ts';
import { reviewed } from './review-policies.ts';
import type { Reviewer } from './reviewer.ts';
import { median } from './statistics.ts';

export interface WaitingRuns {
  openedInMs: number;
  /** Resident memory of the process in MB: when it was warm, when the last run had begun to wait, and when all had waited for a while. */
  memory: { warm: number; opened: number; waited: number };
  pagesMs: number[];
  /** Runs that wait: those that the pages showed, each counted once. */
  listed: number;
  decidedInMs: number;
  /** From the first decision until the last run has ended. */
  endedInMs: number;
  /** Decisions that were not answered with 200. */
  failed: number;
  /** Runs that did not end as decided. */
  lost: number;
}

const atOnce = 16;
const waitMs = 30_000;
const rounds = 3;

/**
 * Has all of the questions wait for a reviewer at once, reads the inbox page by page, and decides them all. As many runs that ask nobody come first, so
 * that what memory grows by is the waiting.
 */
export async function waitingRuns(
  { pid, temporalAddress }: PlumblineUp,
  reviewer: Reviewer,
  questions: string[],
): Promise<WaitingRuns> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection });
    await inParallel(questions, atOnce, async (question) => {
      await reviewer.ask(question, 'default');
    });
    await untilNone(client, [running]);
    const warm = await settledMemory(pid);

    const asked: string[] = [];
    const asking = performance.now();
    await inParallel(questions, atOnce, async (question) => void asked.push(await reviewer.ask(question, reviewed)));
    const openedAt = await untilNone(client, [running, `${searchAttributes.status.name} != 'awaiting_review'`]);
    const opened = await settledMemory(pid);
    await pause(waitMs);
    const memory = { warm, opened, waited: await settledMemory(pid) };

    const pagesMs: number[] = [];
    const listed = new Set<string>();
    for (let round = 0; round < rounds; round++) await readInbox(reviewer, { pagesMs, listed });

    const begin = performance.now();
    let failed = 0;
    await inParallel([...listed], atOnce, async (id) => {
      if ((await reviewer.decide(id, { kind: 'confirm' })) !== 200) failed += 1;
    });
    const decidedInMs = performance.now() - begin;
    const endedInMs = (await untilNone(client, [running])) - begin;
    const ended = await endedAsDecided(reviewer, asked);
    return {
      openedInMs: openedAt - asking,
      memory,
      pagesMs,
      listed: listed.size,
      decidedInMs,
      endedInMs,
      failed,
      lost: asked.length - ended,
    };
  } finally {
    await connection.close();
  }
}

const running = `ExecutionStatus = 'Running' AND WorkflowType = 'answerQuestion'`;

/**
 * Resolves when there is no run of which all of the terms hold. Visibility lags behind by up to a second, so that must stay so for longer.
 * @returns when there was none for the first time, as `performance.now()`
 */
async function untilNone(client: Client, terms: string[]): Promise<number> {
  let since: number | null = null;
  while (since === null || performance.now() - since < 3000) {
    const { count } = await client.workflow.count(terms.join(' AND '));
    since = count > 0 ? null : (since ?? performance.now());
    await pause(200);
  }
  return since;
}

async function readInbox(
  reviewer: Reviewer,
  { pagesMs, listed }: { pagesMs: number[]; listed: Set<string> },
): Promise<void> {
  let before: string | null = null;
  do {
    const begin = performance.now();
    const { reviews, next } = await reviewer.inbox(before);
    pagesMs.push(performance.now() - begin);
    for (const { id } of reviews) listed.add(id);
    before = next;
  } while (before !== null);
}

async function endedAsDecided(reviewer: Reviewer, ids: string[]): Promise<number> {
  let ended = 0;
  await inParallel(ids, atOnce, async (id) => {
    const view = await reviewer.question(id);
    if (view.status === 'abstained' && view.review?.state === 'decided') ended += 1;
  });
  return ended;
}

/** The median of some seconds. */
async function settledMemory(pid: number): Promise<number> {
  const values: number[] = [];
  for (let n = 0; n < 10; n++) {
    await pause(500);
    values.push(residentAlone(pid));
  }
  return median(values);
}
