import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { outcomeSchema, type UsageCall } from '../../domain/contracts/answer.ts';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

let house: ApiHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});
afterEach(() => expect(house.reported).toEqual([]));

const wait = { Prefer: 'wait=20' };
const json = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, unknown>>;
const until = async (id: string, status: string) => {
  for (;;) {
    const view = await json(house.request(`/v1/questions/${id}`));
    if (view['status'] === status) return view;
  }
};

describe('asking', () => {
  test('is accepted at once, with addresses for its outcome and its events', async () => {
    const response = await house.ask('What is the late fee?');
    const body = (await response.json()) as { id: string };
    const self = `/v1/questions/${body.id}`;
    expect(response.status).toBe(202);
    expect(response.headers.get('Location')).toBe(self);
    expect(response.headers.get('Preference-Applied')).toBeNull();
    expect(body).toEqual({
      id: body.id,
      status: 'running',
      links: { self, events: `${self}/events` },
      run: {
        workflowId: `question.main.${body.id}`,
        runId: expect.any(String),
        url: expect.stringMatching(
          /^http:\/\/ui\.invalid\/namespaces\/default\/workflows\/question\.main\..+\/history$/,
        ),
      },
    });
  });

  test('with Prefer: wait gives the outcome itself, the same that its address gives', async () => {
    const response = await house.ask('What is the late fee?', { headers: wait });
    expect(response.status).toBe(200);
    expect(response.headers.get('Preference-Applied')).toBe('wait=20');
    const outcome = (await response.json()) as { id: string };
    expect(outcomeSchema.parse(outcome)).toMatchObject({
      status: 'answered',
      answer: 'The late fee is 9. [1]',
      citations: [{ n: 1 }],
    });
    expect(await json(house.request(`/v1/questions/${outcome.id}`))).toEqual(outcome);
  });

  test('with Prefer: wait is accepted when the time is over first, and shows how far it is', async () => {
    const gate = house.hold('generate');
    const response = await house.ask('What is the late fee?', { headers: { Prefer: 'respond-async, wait=1' } });
    expect(response.status).toBe(202);
    expect(response.headers.get('Preference-Applied')).toBe('wait=1');
    const { id } = (await response.json()) as { id: string };
    await gate.reached;
    expect(await json(house.request(`/v1/questions/${id}`))).toMatchObject({
      id,
      question: 'What is the late fee?',
      status: 'running',
      progress: 'available',
      step: 'generate',
      verdict: 'CORRECT',
      ledger: [],
      evidence: [{ id: 'p1', label: 'relevant' }],
    });
    gate.release();
    await until(id, 'answered');
  });

  test('a question without words gets a request for a clearer one', async () => {
    expect(await json(house.ask('?', { headers: wait }))).toMatchObject({
      status: 'needs_clarification',
      answer: null,
      reason: { code: 'unclear_question' },
    });
  });

  test('a failed run is reported as failed, with the type of its reason', async () => {
    const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('the index file is damaged', 'Index.Corrupt'));
    const failed = {
      status: 'failed',
      reason: { code: 'Index.Corrupt', message: 'the index file is damaged' },
      question: 'What is the late fee?',
    };
    const waited = (await json(house.ask('What is the late fee?', { headers: wait }))) as { id: string };
    mend();
    expect(waited).toMatchObject({ ...failed, usage: { costUsd: 0, calls: [] } });
    expect(await json(house.request(`/v1/questions/${waited.id}`))).toEqual(waited);
  });

  test('a failed run tells the model calls that it paid for', async () => {
    const call: UsageCall = {
      step: 'generate',
      model: 'openai/large',
      prompt: 'generate@1.0.0',
      inputTokens: 100,
      cachedInputTokens: 20,
      cacheWriteTokens: 0,
      outputTokens: 10,
      estimated: false,
      costUsd: 0.5,
      ms: 5,
    };
    const refused = { type: 'Model.Refused', message: 'no', nonRetryable: true, details: [{ calls: [call] }] };
    const mend = house.fail('generate', ApplicationFailure.create(refused));
    const view = await json(house.ask('What is the late fee?', { headers: wait }));
    mend();
    expect(view).toMatchObject({
      status: 'failed',
      reason: { code: 'Model.Refused' },
      usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.5, calls: [call] },
    });
  });
});

describe('cancelling', () => {
  test('stops a run; its outcome is then cancelled, and it cannot be cancelled twice', async () => {
    const gate = house.hold('grade');
    const { id } = (await json(house.ask('What is the late fee?'))) as { id: string };
    await gate.reached;
    const response = await house.request(`/v1/questions/${id}`, { method: 'DELETE' });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ id, status: 'cancelling' });
    gate.release();
    expect(await until(id, 'cancelled')).toMatchObject({ id, question: 'What is the late fee?' });
    const again = await house.request(`/v1/questions/${id}`, { method: 'DELETE' });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: 'Question.Ended' });
  });
});

describe('an idempotency key', () => {
  const key = () => ({ 'Idempotency-Key': `key-${Math.random()}` });

  test('sent ten times in parallel starts one run', async () => {
    const headers = key();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => json(house.ask('What is the late fee?', { headers }))),
    );
    const runs = answers.map(({ id, run }) => JSON.stringify([id, run]));
    expect(new Set(runs).size).toBe(1);
    const { count } = await house.env.client.workflow.count(
      `WorkflowId = 'question.main.${String(answers[0]?.['id'])}'`,
    );
    expect(count).toBe(1);
  });

  test('gets the original outcome when the run has ended', async () => {
    const headers = key();
    const first = await json(house.ask('What is the late fee?', { headers: { ...headers, ...wait } }));
    const again = await house.ask('What is the late fee?', { headers });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(first);
  });

  test('is refused with another question, and with another policy, whether the run goes on or not', async () => {
    const headers = key();
    const gate = house.hold('grade');
    await house.ask('What is the late fee?', { headers });
    await gate.reached;
    const whileRunning = await house.ask('What is the early fee?', { headers });
    gate.release();
    await house.ask('What is the late fee?', { headers: { ...headers, ...wait } });
    const afterwards = await house.request('/v1/questions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ question: 'What is the late fee?', policy: 'default' }),
    });
    for (const response of [whileRunning, afterwards]) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: 'Question.KeyReused' });
    }
  });

  test('of somebody else, in another tenant or in the same, leads to a run of their own', async () => {
    const headers = key();
    const tokens = [house.token, people.birch.token, people.clerk.token];
    const answers = await Promise.all(
      tokens.map((token) => json(house.ask('What is the late fee?', { headers, token }))),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
  });

  test.each(['two words', '', 'ü', 'k'.repeat(256)])('that is no plain word is refused: %j', async (bad) => {
    const response = await house.ask('What is the late fee?', {
      headers: { 'Idempotency-Key': Buffer.from(bad).toString('latin1') },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'Request.Invalid',
      detail: expect.stringContaining('Idempotency-Key'),
    });
  });
});

describe('who sees a question', () => {
  test('nobody of another tenant, and nobody who lacks a group of the asker', async () => {
    const { id } = (await json(house.ask('What is the late fee?', { headers: wait }))) as { id: string };
    for (const [token, status] of [
      [people.birch.token, 404],
      [people.intern.token, 404],
      [people.clerk.token, 200],
      [house.token, 200],
    ] as const) {
      expect((await house.request(`/v1/questions/${id}`, { token })).status).toBe(status);
    }
    for (const method of ['DELETE', 'GET']) {
      const path = `/v1/questions/${id}${method === 'GET' ? '/events' : ''}`;
      expect((await house.request(path, { method, token: people.birch.token })).status).toBe(404);
    }
  });

  test('the list has only questions of the own tenant that the reader may see, newest first, by status', async () => {
    const ids: string[] = [];
    for (const [question, token] of [
      ['What is the first fee?', people.birch.token],
      ['?', people.birch.token],
      ['What is the second fee?', people.birch.token],
    ] as const) {
      ids.push(String((await json(house.ask(question, { token, headers: wait })))['id']));
    }
    const list = async (query: string, token = people.birch.token) =>
      ((await json(house.request(`/v1/questions${query}`, { token })))['questions'] as {
        id: string;
        status: string;
      }[]) ?? [];
    // Visibility lags behind.
    while ((await list('')).filter(({ status }) => status !== 'running').length < 3);
    expect((await list('')).map(({ id }) => id).slice(0, 3)).toEqual(ids.toReversed());
    expect((await list('?limit=1')).map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await list('?status=needs_clarification')).toEqual([
      expect.objectContaining({
        id: ids[1],
        question: '?',
        status: 'needs_clarification',
        reason: 'unclear_question',
        user: 'owner',
        policy: 'default',
      }),
    ]);
    const others = await list('?limit=200', people.intern.token);
    expect(others).toEqual([]);
    expect((await list('?limit=200', house.token)).filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});
