import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
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

const question = 'What is the late fee?';
const wait = { Prefer: 'wait=20' };
const large = { provider: 'openai', model: 'large' };

type Body = Record<string, unknown> & { id: string };
const read = async (response: Promise<Response>) => (await response).json() as Promise<Body>;
const asked = (token: string = house.token) => read(house.ask(question, { headers: wait, token }));
const get = (path: string, token: string = house.token) => house.request(`/v1/questions/${path}`, { token });
const fork = (
  id: string,
  body: unknown = {},
  { token = house.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) =>
  house.request(`/v1/questions/${id}/forks`, {
    token,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The forks of a question, once there are that many: visibility lags behind. */
async function forksOf(id: string, count: number, token?: string): Promise<Body[]> {
  for (let left = 100; ; left--) {
    const { forks } = (await read(get(`${id}/forks`, token))) as unknown as { forks: Body[] };
    if (forks.length === count || left === 0) return forks;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('forking', () => {
  test('is accepted as a question is, with the id of the original, and leaves that as it was', async () => {
    const original = await asked();
    const response = await fork(original.id);
    const body = (await response.json()) as Body;
    const self = `/v1/questions/${body.id}`;
    expect(response.status).toBe(202);
    expect(response.headers.get('Location')).toBe(self);
    expect(body.id).not.toBe(original.id);
    expect(body).toEqual({
      id: body.id,
      status: 'running',
      forkOf: original.id,
      links: { self, events: `${self}/events` },
      run: expect.objectContaining({ workflowId: `question.main.${body.id}` }),
    });
    expect(await read(get(original.id))).toEqual(original);
  });

  test('links both ways: the fork names the original, and the original lists its forks, newest first', async () => {
    const original = await asked();
    expect(original['forkOf']).toBeNull();
    const first = await read(fork(original.id, {}, { headers: wait }));
    const second = await read(fork(original.id, { policy: 'web' }, { headers: wait }));
    expect(first).toMatchObject({ forkOf: original.id, question, status: 'answered' });
    expect(await read(get(second.id))).toEqual(second);
    expect(await forksOf(original.id, 2)).toMatchObject([
      { id: second.id, forkOf: original.id, policy: 'web', user: 'owner' },
      { id: first.id, forkOf: original.id, policy: 'default', status: 'answered' },
    ]);
    const run = house.env.client.workflow.getHandle(`question.main.${first.id}`);
    const { memo, searchAttributes } = await run.describe();
    expect(memo).toMatchObject({ forkOf: original.id });
    expect(searchAttributes).toMatchObject({ PlumblineForkOf: [original.id] });
    expect(await forksOf(first.id, 0)).toEqual([]);
  });

  test('a fork still under way and one that failed name the original, too', async () => {
    const original = await asked();
    const gate = house.hold('generate');
    const running = await read(fork(original.id));
    await gate.reached;
    expect(await read(get(running.id))).toMatchObject({ status: 'running', forkOf: original.id });
    gate.release();
    const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('damaged', 'Index.Corrupt'));
    const failed = await read(fork(original.id, {}, { headers: wait }));
    mend();
    expect(failed).toMatchObject({ status: 'failed', reason: { code: 'Index.Corrupt' }, forkOf: original.id });
  });

  test('follows the policy named, and without one that of the original', async () => {
    const web = await read(
      house.request('/v1/questions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...wait },
        body: JSON.stringify({ question, policy: 'web' }),
      }),
    );
    const same = await read(fork(web.id, {}, { headers: wait }));
    expect(same['versions']).toMatchObject({ policy: 'web@1' });
    const other = await read(fork(web.id, { policy: 'openai' }, { headers: wait }));
    expect(other['versions']).toMatchObject({ policy: 'openai@1' });
  });

  test('under other models keeps the name of the policy, and its versions tell the models', async () => {
    const original = await asked();
    const { versions } = await read(fork(original.id, { models: { generate: large } }, { headers: wait }));
    const before = original['versions'] as { models: Record<string, string> };
    expect(versions).toMatchObject({
      policy: 'default@1',
      models: { ...before.models, generate: 'openai/large' },
    });
  });

  test('can itself be forked', async () => {
    const original = await asked();
    const first = await read(fork(original.id, {}, { headers: wait }));
    expect(await read(fork(first.id, {}, { headers: wait }))).toMatchObject({ forkOf: first.id, question });
    expect(await forksOf(original.id, 1)).toMatchObject([{ id: first.id }]);
  });

  test('sent five times in parallel with one idempotency key starts one run, and the key is good for nothing else', async () => {
    const original = await asked();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (body: unknown = { models: { generate: large } }) => fork(original.id, body, { headers });
    const forks = await Promise.all(Array.from({ length: 5 }, () => read(send())));
    expect(new Set(forks.map(({ id }) => id)).size).toBe(1);
    for (const other of [{}, { policy: 'web' }, { models: { check: large } }]) {
      const refused = await send(other);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code: 'Question.KeyReused' });
    }
    expect((await house.ask(question, { headers })).status).toBe(409);
  });
});

describe('who may fork', () => {
  test('whoever may see the original; the fork has the rights of its own asker', async () => {
    const original = await asked();
    const ofClerk = await read(fork(original.id, {}, { token: people.clerk.token, headers: wait }));
    expect(ofClerk).toMatchObject({ forkOf: original.id, status: 'answered' });
    const run = house.env.client.workflow.getHandle(`question.main.${ofClerk.id}`);
    expect((await run.describe()).memo).toMatchObject({ user: 'clerk', groups: ['staff', 'board'] });
    // The owner is not of the board, so may not see what the clerk's fork found.
    expect(await forksOf(original.id, 1, people.clerk.token)).toMatchObject([{ id: ofClerk.id, user: 'clerk' }]);
    expect(await forksOf(original.id, 0)).toEqual([]);
    expect((await get(`${original.id}/comparison?with=${ofClerk.id}`)).status).toBe(404);
  });

  test.each(['intern', 'birch'] as const)('not %s, for whom the original is not there', async (person) => {
    const original = await asked();
    const own = await asked(people[person].token);
    const { token } = people[person];
    for (const response of [
      await fork(original.id, {}, { token }),
      await get(`${original.id}/forks`, token),
      await get(`${original.id}/comparison?with=${own.id}`, token),
      await get(`${own.id}/comparison?with=${original.id}`, token),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'Question.NotFound' });
    }
  });
});

describe('a comparison', () => {
  test('has what the two runs did alike and otherwise', async () => {
    const original = await asked();
    const { id } = await read(fork(original.id, { models: { generate: large } }, { headers: wait }));
    expect(await read(get(`${original.id}/comparison?with=${id}`))).toMatchObject({
      ids: { first: original.id, second: id },
      status: { first: 'answered', second: 'answered' },
      verdict: { first: 'CORRECT', second: 'CORRECT' },
      policy: { first: 'default@1', second: 'default@1' },
      models: { generate: { first: 'local/extractive', second: 'openai/large' } },
      evidence: { both: [{ id: 'p1', first: { used: true }, second: { used: true } }], onlyFirst: [], onlySecond: [] },
      answer: { same: true },
      statements: { both: ['The late fee is 9.'] },
      citations: { both: [{ quote: 'The late fee is 9.' }], onlyFirst: [], onlySecond: [] },
      costUsd: { first: 0, second: 0, difference: 0, estimated: { first: false, second: false } },
    });
  });

  test('of a run that has no outcome has its status, reason and usage', async () => {
    const original = await asked();
    const mend = house.fail('retrieve', ApplicationFailure.nonRetryable('damaged', 'Index.Corrupt'));
    const { id } = await read(fork(original.id, {}, { headers: wait }));
    mend();
    expect(await read(get(`${original.id}/comparison?with=${id}`))).toMatchObject({
      status: { first: 'answered', second: 'failed' },
      reason: { first: null, second: { code: 'Index.Corrupt' } },
      verdict: { first: 'CORRECT', second: null },
      evidence: null,
      costUsd: { second: 0 },
    });
  });
});

describe('refused is', () => {
  test.each<[string, unknown, object]>([
    ['an unknown policy', { policy: 'reckless' }, { code: 'Question.UnknownPolicy' }],
    ['an unknown role', { models: { writer: large } }, { errors: [{ field: 'writer' }] }],
    [
      'an unknown provider',
      { models: { generate: { provider: 'acme', model: 'm' } } },
      { errors: [{ field: 'models.generate.provider' }] },
    ],
    ['a model that would never be asked', { models: { grade: large } }, { code: 'Question.IdleModel' }],
    ['another field', { model: 'large' }, { errors: [{ field: 'model' }] }],
    ['a list', [], { code: 'Request.WrongFields' }],
  ])('%s', async (_name, body, problem) => {
    const { id } = await asked();
    const response = await fork(id, body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject(problem);
  });

  test('a comparison with nothing, and another method', async () => {
    const { id } = await asked();
    const response = await get(`${id}/comparison`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ field: 'with', message: expect.stringContaining('?with=ID') }],
    });
    expect((await house.request(`/v1/questions/${id}/comparison`, { method: 'POST' })).status).toBe(405);
    expect((await house.request(`/v1/questions/${id}/forks`, { method: 'DELETE' })).status).toBe(405);
    expect((await house.request(`/v1/questions/${id}/forks`, { method: 'POST' })).status).toBe(415);
  });

  test('a fork of a question that nobody knows', async () => {
    expect((await fork('unknown')).status).toBe(404);
    expect((await get('unknown/forks')).status).toBe(404);
  });
});
