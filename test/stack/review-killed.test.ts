import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DecisionResult, ReviewDecision } from '../../domain/contracts/review.ts';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { secretOf } from '../notify/notifications.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { OutsideWorld } from './outside-world.ts';
import { ReviewStack, until, type Part } from './review-stack.ts';

const limit = 240_000;
const question = 'What is the top speed of the workboat Petrel in knots?';
const fact = 'The workboat Petrel reaches a top speed of 21 knots when it is not towing.';
const confirm: ReviewDecision = { kind: 'confirm' };

/** Every state that a review can be in when a process is killed: how its run comes there, and what it ends with afterwards. */
const runs = {
  /** Its reviewers are being told. */
  opening: { policy: 'nightly', state: 'open', ends: 'abstained', trail: ['opened', 'decided'] },
  open: { policy: 'asked', state: 'open', ends: 'answered', trail: ['opened', 'decided'] },
  claimed: {
    policy: 'asked',
    state: 'claimed',
    ends: 'abstained',
    trail: ['opened', 'claimed', 'commented', 'decided'],
  },
  proposed: {
    policy: 'by-two',
    state: 'proposed',
    ends: 'abstained',
    trail: ['opened', 'proposed', 'approved', 'decided'],
  },
  /** Decided: the evidence that was added is being graded. */
  continuing: { policy: 'by-model', state: 'continuing', ends: 'answered', trail: ['opened', 'decided'] },
  /** Decided while the process dies. */
  deciding: { policy: 'asked', state: 'open', ends: 'abstained', trail: ['opened', 'decided'] },
  /** Decided just before. */
  closed: { policy: 'asked', state: 'open', ends: 'abstained', trail: ['opened', 'decided'] },
} as const;
type Name = keyof typeof runs;
const names = Object.keys(runs) as Name[];
/** Those that still stand as they were when all processes are back. */
const standing = ['opening', 'open', 'claimed', 'proposed', 'continuing'] as const;

let stack: ReviewStack;
let outside: OutsideWorld;
beforeAll(async () => {
  outside = await OutsideWorld.start(fact);
  const { steps, grading, models } = defaultPolicy;
  const grade = {
    provider: 'openai',
    model: 'gpt-4o-mini',
    maxOutputTokens: 4096,
    temperature: null,
    effort: null,
  } as const;
  const byModel = {
    grading: { ...grading, method: 'model' as const },
    models: { ...models, grade },
    steps: { ...steps, grade: { startToCloseMs: 60_000, heartbeatMs: 2000, attempts: 10 } },
  };
  stack = await ReviewStack.start(
    {
      asked: {},
      nightly: { groups: ['night'] },
      'by-two': { fourEyes: ['confirm'] },
      'by-model': { policy: byModel },
    },
    {
      PLUMBLINE_WEBHOOK_URL: outside.webhookUrl,
      PLUMBLINE_WEBHOOK_SECRET: secretOf(1),
      OPENAI_API_KEY: 'scripted',
      OPENAI_BASE_URL: outside.modelUrl,
    },
  );
}, limit);
afterAll(async () => {
  await stack?.remove();
  await outside?.close();
});

interface Decided {
  id: string;
  key: string;
  decision: ReviewDecision;
  result: DecisionResult;
}

async function decided(id: string, decision: ReviewDecision): Promise<Decided> {
  const key = randomUUID();
  return { id, key, decision, result: await taken(stack.decide(id, decision, { key })) };
}

async function taken(sent: Promise<Response>): Promise<DecisionResult> {
  const response = await sent;
  const body = (await response.json()) as DecisionResult;
  expect({ status: response.status, body }).toEqual({ status: 200, body: expect.anything() });
  return body;
}

async function each<K extends Name, T>(of: readonly K[], work: (name: K) => Promise<T>): Promise<Record<K, T>> {
  return Object.fromEntries(await Promise.all(of.map(async (name) => [name, await work(name)]))) as Record<K, T>;
}

async function inEveryState() {
  outside.fallSilent();
  const ids = await each(names, (name) => stack.waiting(question, runs[name].policy));
  expect((await stack.claim(ids.claimed, 'ann')).status).toBe(200);
  expect((await stack.comment(ids.claimed, 'ask the harbour office')).status).toBe(200);
  const proposed = await decided(ids.proposed, confirm);
  const continuing = await decided(ids.continuing, {
    kind: 'addEvidence',
    evidence: { from: 'text', title: 'The builder', uri: '', text: fact },
  });
  await until(async () => outside.awaited);
  const reviews = await each(names, (name) => stack.review(ids[name]));
  for (const name of names) expect([name, reviews[name].state]).toEqual([name, runs[name].state]);
  return { ids, reviews, proposed, continuing };
}

async function decideTheRest(ids: Record<Name, string>): Promise<void> {
  expect((await stack.claim(ids.claimed, 'ben')).status).toBe(409);
  expect((await stack.decide(ids.proposed, { kind: 'approve' })).status).toBe(403);
  const answer: ReviewDecision = {
    kind: 'answer',
    text: 'Its top speed is 21 knots.',
    source: { title: 'The harbour office', uri: '', text: null },
    vouched: true,
  };
  await Promise.all([
    taken(stack.decide(ids.opening, confirm)),
    taken(stack.decide(ids.open, answer)),
    taken(stack.decide(ids.claimed, confirm)),
    taken(stack.decide(ids.proposed, { kind: 'approve' }, { by: 'ben' })),
  ]);
}

async function expectOneEnd(id: string): Promise<void> {
  const { events } = await stack.handle(id).fetchHistory();
  expect(events?.filter((event) => event.workflowExecutionCompletedEventAttributes)).toHaveLength(1);
  const statuses = [];
  const query = `WorkflowId = '${questionWorkflowId('main', id)}'`;
  for await (const { status } of stack.client.workflow.list({ query })) statuses.push(status.name);
  expect(statuses).toEqual(['COMPLETED']);
}

describe.each<Part>(['worker', 'API', 'Temporal server'])('kill -9 of the %s with a review in every state', (part) => {
  test(
    'loses nothing: each stands as it was, a decision sent again has its first result, and every run ends right, once',
    async () => {
      const { ids, reviews: before, proposed, continuing } = await inEveryState();
      const closed = await decided(ids.closed, confirm);
      const key = randomUUID();
      const cut = stack.decide(ids.deciding, confirm, { key }).catch(() => null);
      await stack.kill(part);
      await stack.restart(part);
      await cut;

      const after = await each(standing, (name) => stack.review(ids[name]));
      for (const name of standing) expect(after[name]).toEqual(before[name]);
      const waiting = standing.filter((name) => name !== 'continuing').map((name) => ids[name]);
      expect(await stack.inbox()).toEqual(expect.arrayContaining(waiting));
      for (const { id, decision, result, ...sent } of [proposed, continuing, closed])
        expect(await taken(stack.decide(id, decision, sent))).toEqual(result);
      const first = await taken(stack.decide(ids.deciding, confirm, { key }));
      expect(await taken(stack.decide(ids.deciding, confirm, { key }))).toEqual(first);

      await decideTheRest(ids);
      outside.modelSpeaks();
      const outcomes = await each(names, (name) => stack.ended(ids[name]));
      for (const name of names) {
        const { openedAt, deadline } = before[name];
        const { status, review } = outcomes[name];
        expect([name, status]).toEqual([name, runs[name].ends]);
        expect(review).toMatchObject({ state: 'decided', round: 1, openedAt, deadline });
        expect([name, review?.trail.map(({ action }) => action)]).toEqual([name, runs[name].trail]);
        await expectOneEnd(ids[name]);
      }
      const { by, at } = proposed.result;
      expect(outcomes.proposed.review?.decided).toMatchObject({ by, at, approvedBy: 'ben' });
      expect(outcomes.continuing).toMatchObject({
        citations: [{ origin: 'reviewer', quote: fact }],
        ledger: expect.arrayContaining([expect.objectContaining({ tier: 'review', found: 1 })]),
      });
      outside.webhookSpeaks();
      for (const id of Object.values(ids)) {
        await until(async () => outside.told(id).length === 2);
        expect(outside.told(id).sort()).toEqual(['review.decided', 'review.requested']);
      }
    },
    limit,
  );
});
