import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EndedView } from '../../client/question-view.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import { startCuttingProxy } from '../stack/cutting-proxy.ts';
import { ReviewStack } from '../stack/review-stack.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { sendJson, startWebServer, type WebServer } from '../web/support/web-server.ts';

const limit = 240_000;
const unanswerable = 'What is the top speed of the workboat Petrel in knots?';
/** Answered in part: the weight is in the manual, sound levels are nowhere. */
const half = 'How much does a complete Heron H60 weigh, and how many decibels does it produce?';
const draft = '1,340 kg';
const clockAhead = join(import.meta.dirname, '..', 'support', 'clock-ahead.ts');
const confirm: ReviewDecision = { kind: 'confirm' };
const retry = (hint: string): ReviewDecision => ({ kind: 'retry', hint });

let stack: ReviewStack;
let search: WebServer;
/** Searches that wait for their answer; null: they get it at once. */
let searching: ServerResponse[] | null = null;
beforeAll(async () => {
  search = await startWebServer((_, response) => {
    if (searching === null) sendJson(response, { results: [] });
    else searching.push(response);
  });
  const web = { ...defaultPolicy.web, mode: 'allowed' as const, cacheMinutes: 0 };
  stack = await ReviewStack.start(
    {
      asked: {},
      hasty: { deadlineMinutes: 0.1 },
      'after-search': { policy: { tiers: ['web'], web } },
    },
    { TAVILY_API_KEY: 'scripted', TAVILY_BASE_URL: search.url },
  );
}, limit);
afterAll(async () => {
  await stack?.remove();
  await search?.close();
});

async function told(response: Response | Promise<Response>): Promise<Record<string, unknown> & { status: number }> {
  const { status } = await response;
  return { ...((await (await response).json()) as Record<string, unknown>), status };
}

const minutes = (count: number) => count * 60_000;

/** Whether the draft has become the answer. */
function released(outcome: EndedView): boolean {
  return outcome.answer !== null && outcome.status === 'partially_answered' && outcome.answer.includes(draft);
}

/** All that the asker can read of a run that has ended. */
async function everythingTold(id: string): Promise<unknown[]> {
  const all: unknown[] = [await stack.ended(id)];
  for await (const event of stack.halves.events(id)) all.push(event);
  return all;
}

/** What the run's history has first: a decision that was accepted, or the end of its time. */
async function firstInHistory(id: string): Promise<'decided' | 'expired'> {
  const { events } = await stack.handle(id).fetchHistory();
  const first = events?.find(
    (event) => event.timerFiredEventAttributes ?? event.workflowExecutionUpdateAcceptedEventAttributes,
  );
  return first?.timerFiredEventAttributes ? 'expired' : 'decided';
}

/** In ms. */
async function timerFiredAt(id: string): Promise<number> {
  const { events } = await stack.handle(id).fetchHistory();
  const { seconds, nanos } = events?.find((event) => event.timerFiredEventAttributes)?.eventTime ?? {};
  return Number(seconds) * 1000 + Number(nanos) / 1e6;
}

/** The last notification in a worker's log: when it was written, by the worker's clock, and when it happened, by Temporal's. */
function lastNotice(log: string): { at: string; timestamp: string } {
  const lines = log.split('\n').filter((line) => line.includes('"message":"review.'));
  return JSON.parse(lines.at(-1) ?? '{}') as { at: string; timestamp: string };
}

async function actionsOf(id: string): Promise<string[]> {
  const { review } = await stack.ended(id);
  return review?.trail.map(({ action }) => action) ?? [];
}

describe('a decision that comes too early, too late, or never', () => {
  test('the moment the run is created: refused as too early, or kept where its sender does not wait', async () => {
    searching = [];
    const id = await stack.ask(unanswerable, 'after-search');
    expect(await told(stack.decide(id, confirm))).toMatchObject({ status: 409, code: 'Review.NotOpen' });
    const reject: ReviewDecision = { kind: 'reject', reason: 'not for customers' };
    expect((await stack.decide(id, reject, { prefer: 'respond-async' })).status).toBe(202);
    for (const response of searching) sendJson(response, { results: [] });
    searching = null;
    expect(await stack.ended(id)).toMatchObject({
      status: 'denied',
      review: { decided: { kind: 'reject', by: 'ann' } },
    });
    expect(await actionsOf(id)).toEqual(['opened', 'decided']);
  });

  test(
    'a second before the deadline, while no worker is there: one outcome, and everybody is told the same',
    async () => {
      const [awaited, signalled] = await Promise.all([stack.waiting(half, 'hasty'), stack.waiting(half, 'hasty')]);
      const { deadline } = await stack.review(signalled);
      await stack.kill('worker');
      await pause(Date.parse(deadline) - 1000 - Date.now());
      const key = randomUUID();
      const answers = Promise.all([
        told(stack.decide(awaited, confirm, { key })),
        told(stack.decide(signalled, confirm, { key, prefer: 'respond-async' })),
      ]);
      await pause(2000);
      await stack.restart('worker');
      const [, accepted] = await answers;
      expect(accepted).toMatchObject({ status: 202 });
      for (const id of [awaited, signalled]) {
        const outcome = await stack.ended(id);
        expect(released(outcome)).toBe(outcome.review?.state === 'decided');
        expect(outcome.review?.trail.filter(({ action }) => ['decided', 'expired'].includes(action))).toHaveLength(1);
      }
      expect((await stack.ended(awaited)).review?.state).toBe(await firstInHistory(awaited));
      const { review } = await stack.ended(signalled);
      // A worker that comes too late for it says so; the sender was told only that it will be looked at.
      const refused = { action: 'refused', actor: 'ann', note: expect.stringContaining('Review.Gone') };
      if (review?.state === 'expired') expect(review.trail).toContainEqual(expect.objectContaining(refused));
    },
    limit,
  );

  test('after its time: gone, with the final state, and nothing of the draft is released', async () => {
    const id = await stack.waiting(half, 'hasty');
    expect(JSON.stringify(await stack.view(id))).not.toContain(draft);
    expect(await stack.ended(id)).toMatchObject({ status: 'abstained', reason: { code: 'review_expired' } });
    const gone = { status: 410, code: 'Review.Gone', finalState: { status: 'abstained', review: 'expired' } };
    for (const prefer of ['wait', 'respond-async'])
      expect(await told(stack.decide(id, confirm, { prefer }))).toMatchObject(gone);
    expect(JSON.stringify(await everythingTold(id))).not.toContain(draft);
  });

  test('after a cancellation: gone, with the final state', async () => {
    const id = await stack.waiting(unanswerable, 'asked');
    expect((await stack.halves.fetch(`/v1/questions/${id}`, { method: 'DELETE' })).status).toBe(202);
    await expect(stack.handle(id).result()).rejects.toThrow();
    expect(await told(stack.decide(id, confirm))).toMatchObject({
      status: 410,
      code: 'Review.Gone',
      finalState: { status: 'cancelled', review: 'cancelled', decided: null },
    });
  });

  test('on a run that is not there: not found', async () => {
    expect(await told(stack.decide(randomUUID(), confirm))).toMatchObject({ status: 404, code: 'Question.NotFound' });
    const later = stack.decide(randomUUID(), confirm, { prefer: 'respond-async' });
    expect(await told(later)).toMatchObject({ status: 404, code: 'Question.NotFound' });
  });
});

describe('a decision that is sent more than once', () => {
  test('by a double click: taken once, both are told the same', async () => {
    const id = await stack.waiting(unanswerable, 'asked');
    const key = randomUUID();
    const [first, second] = await Promise.all([1, 2].map(() => told(stack.decide(id, confirm, { key }))));
    expect(first).toMatchObject({ status: 200, by: 'ann', kind: 'confirm' });
    expect(second).toEqual(first);
    expect(await actionsOf(id)).toEqual(['opened', 'decided']);
  });

  test('from two tabs: one wins, the other is told who decided what and when', async () => {
    const id = await stack.waiting(unanswerable, 'asked');
    const tabs = await Promise.all(['speed table', 'sea trial'].map((hint) => told(stack.decide(id, retry(hint)))));
    const [won, lost] = tabs.toSorted((a, b) => a.status - b.status);
    expect(won).toMatchObject({ status: 200, by: 'ann', round: 1 });
    expect(lost).toMatchObject({ status: 409, code: 'Review.Decided', review: { decided: { by: 'ann', round: 1 } } });
    expect(lost?.['detail']).toContain(`ann decided "retry" at ${String(won?.['at'])}`);
  });

  test('since the connection was cut before the answer: taken once, and the first result comes back', async () => {
    const id = await stack.waiting(unanswerable, 'asked');
    const proxy = await startCuttingProxy(stack.halves.url);
    const key = randomUUID();
    for (let n = 0; n < 3; n++)
      await expect(stack.decide(id, confirm, { key, through: proxy.url })).rejects.toThrow('fetch failed');
    const { review } = await stack.ended(id);
    expect(await told(stack.decide(id, confirm, { key }))).toMatchObject({
      status: 200,
      by: 'ann',
      at: review?.decided?.at,
      state: 'continuing',
    });
    expect(await actionsOf(id)).toEqual(['opened', 'decided']);
    expect((await stack.review(id)).trail.map(({ action }) => action)).toEqual(['opened', 'decided']);
    await proxy.close();
  });
});

describe('with the clock of the worker ten minutes ahead', () => {
  beforeAll(async () => {
    await stack.kill('worker');
    await stack.restart('worker', { NODE_OPTIONS: `--import=${clockAhead}` });
  }, limit);

  test(
    'a review has its time by the clock of Temporal, and nothing is released after it',
    async () => {
      const [decided, expired] = await Promise.all([stack.waiting(half, 'hasty'), stack.waiting(half, 'hasty')]);
      expect((await stack.decide(decided, confirm)).status).toBe(200);
      expect(released(await stack.ended(decided))).toBe(true);
      const outcome = await stack.ended(expired);
      expect(outcome.review?.state).toBe('expired');
      expect(released(outcome)).toBe(false);
      expect(JSON.stringify(await everythingTold(expired))).not.toContain(draft);
      expect(await told(stack.decide(expired, confirm))).toMatchObject({ status: 410, code: 'Review.Gone' });

      const { openedAt = '', deadline = '' } = outcome.review ?? {};
      expect(Date.parse(deadline) - Date.parse(openedAt)).toBe(6000);
      const late = (await timerFiredAt(expired)) - Date.parse(deadline);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(minutes(5));
      const { at, timestamp } = lastNotice(stack.said('worker'));
      expect(Date.parse(at) - Date.parse(timestamp)).toBeGreaterThan(minutes(9));
    },
    limit,
  );
});
