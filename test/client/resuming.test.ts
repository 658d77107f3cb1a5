import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { askedMemo } from '../../client/asker.ts';
import { startQuestion } from '../../client/start-question.ts';
import type { QuestionSummary, QuestionView } from '../../client/question-view.ts';
import { openApiHouse, people, type ApiHouse } from '../api/api-house.ts';
import { readSse } from '../api/sse.ts';
import { defaultPolicy } from '../support/question-runs.ts';

const ann = { token: 'token-of-ann-who-asks', tenant: 'main', user: 'ann', groups: ['staff'] };

let house: ApiHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
  await writeFile(house.principalsFile, JSON.stringify([...Object.values(people), ann]));
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const away = ApplicationFailure.nonRetryable('away', 'Index.Unavailable');

async function ask(token = house.token): Promise<string> {
  const response = await house.ask('What is the late fee?', { headers: { Prefer: 'wait=20' }, token });
  return ((await response.json()) as { id: string }).id;
}

/** A question whose run has failed at this step, which is mended since. */
async function failedAt(step: Parameters<ApiHouse['fail']>[0], token = house.token): Promise<string> {
  const mend = house.fail(step, away);
  const id = await ask(token);
  mend();
  return id;
}

function resume(id: string, body: object = {}, token = house.token): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return house.request(`/v1/questions/${id}/resumption`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    token,
  });
}

const view = async (id: string) => (await (await house.request(`/v1/questions/${id}`)).json()) as QuestionView;
const handle = (id: string) => house.env.client.workflow.getHandle(`question.main.${id}`);
const ended = async (id: string) => {
  await handle(id)
    .result()
    .catch(() => undefined);
  return view(id);
};
/** Steps that began, once each time, as the newest run tells them. */
const stepsOf = async (id: string) => {
  const { events } = (await house.plumbline.progress(house.principals.owner, id)) ?? { events: [] };
  return events.flatMap((event) => (event.type === 'step-start' ? [event.step] : []));
};
/** Starts of a step that a worker was asked for, in all runs of the question. */
const scheduled = async (id: string, runId: string) => {
  const { events } = await house.env.client.workflow.getHandle(`question.main.${id}`, runId).fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
};

describe('POST /v1/questions/{id}/resumption', () => {
  test('goes on from before the step that failed, with the reason in the history', async () => {
    const id = await failedAt('generate');
    const before = await view(id);
    const plan = await (await house.request(`/v1/questions/${id}/resumption`)).json();
    expect(plan).toEqual({ id, from: 'generate', run: before.run });

    const response = await resume(id, { reason: ' the index is back ' });
    expect([response.status, response.headers.get('Location')]).toEqual([202, `/v1/questions/${id}`]);
    const body = (await response.json()) as { run: QuestionView['run'] };
    expect(body).toMatchObject({ id, from: 'generate', resumedRunId: before.run.runId });
    expect(await ended(id)).toMatchObject({ status: 'answered', run: body.run });
    expect(body.run.runId).not.toBe(before.run.runId);
    const { events } = await handle(id).fetchHistory();
    const messages = events?.map((event) => event.workflowTaskFailedEventAttributes?.failure?.message);
    expect(messages).toContain('resumed from generate by owner: the index is back');
    // Kept from the run before are the search, and its place in lists.
    expect(await stepsOf(id)).toEqual(['analyse', 'retrieve', 'grade', 'refine', 'generate', 'check-grounding']);
    const { memo, searchAttributes } = await handle(id).describe();
    expect(memo).toMatchObject({ question: 'What is the late fee?', user: 'owner' });
    expect(searchAttributes).toMatchObject({ PlumblineStatus: ['answered'], PlumblineTenant: ['main'] });
    expect(searchAttributes).not.toHaveProperty('PlumblineReason');
  });

  test('goes on from a step that is named, also in a run with an outcome or one that was cancelled', async () => {
    const id = await ask();
    expect(await (await resume(id, { from: 'grade' })).json()).toMatchObject({ from: 'grade' });
    expect(await ended(id)).toMatchObject({ status: 'answered' });

    const gate = house.hold('generate');
    const stopped = await cancelledAt(gate);
    expect((await resume(stopped)).status).toBe(409);
    expect(await (await resume(stopped, { from: 'retrieve' })).json()).toMatchObject({ from: 'retrieve' });
    expect(await ended(stopped)).toMatchObject({ status: 'answered' });
  });

  async function cancelledAt(gate: ReturnType<ApiHouse['hold']>): Promise<string> {
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    await gate.reached;
    await house.request(`/v1/questions/${id}`, { method: 'DELETE' });
    gate.release();
    expect(await ended(id)).toMatchObject({ status: 'cancelled' });
    return id;
  }

  test('goes on from the last task of a run that was terminated', async () => {
    const gate = house.hold('generate');
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    await gate.reached;
    await handle(id).terminate('by hand');
    gate.release();
    expect(await view(id)).toMatchObject({ status: 'failed', reason: { code: 'Run.Terminated' } });
    // The first step of the task that asked for the draft: grading here costs nothing.
    expect(await (await resume(id)).json()).toMatchObject({ from: 'grade' });
    const end = await ended(id);
    expect(end).toMatchObject({ status: 'answered' });
    expect(await scheduled(id, end.run.runId)).toEqual(['retrieve', 'generate']);
  });

  test('goes on from a step that ran as a local activity', async () => {
    const id = await failedAt('analyse');
    expect(await view(id)).toMatchObject({ status: 'failed' });
    expect(await (await resume(id)).json()).toMatchObject({ from: 'analyse' });
    expect(await ended(id)).toMatchObject({ status: 'answered' });
    expect(await (await resume(id, { from: 'check-grounding' })).json()).toMatchObject({ from: 'check-grounding' });
    const end = await ended(id);
    expect(end).toMatchObject({ status: 'answered' });
  });

  test('takes the failure that ended the run, not one that the run did without', async () => {
    const mend = house.fail('refine', away);
    const id = await failedAt('generate');
    mend();
    expect(await (await resume(id)).json()).toMatchObject({ from: 'generate' });
    expect(await ended(id)).toMatchObject({ status: 'answered' });
  });

  test('asks the reviewers anew where nobody had decided in time', async () => {
    const { owner } = house.principals;
    const question = 'What is the late fee?';
    const review = {
      ...defaultPolicy.review,
      on: ['abstained' as const],
      deadlineMinutes: 0.01,
      remindAfterMinutes: [],
    };
    const verdict = { ...defaultPolicy.verdict, correct: 1, incorrect: 1 };
    const policy = { ...defaultPolicy, tiers: [], verdict, review: { ...review, atDeadline: 'fail' as const } };
    const input = { question, access: owner, policy };
    const memo = askedMemo(owner, { question });
    await startQuestion(house.env.client, { workflowId: 'question.main.expired', input, memo });
    expect(await ended('expired')).toMatchObject({ status: 'failed', reason: { code: 'Review.Expired' } });
    const unknown = await resume('expired', { from: 'nowhere' });
    expect(await unknown.json()).toMatchObject({ detail: expect.stringMatching(/its steps: analyse, .*review\.$/) });
    expect(await (await resume('expired')).json()).toMatchObject({ from: 'review' });
    expect(await ended('expired')).toMatchObject({ status: 'failed', reason: { code: 'Review.Expired' } });
    const { events } = (await house.plumbline.progress(owner, 'expired')) ?? { events: [] };
    expect(events.filter(({ type }) => type === 'review-request')).toHaveLength(1);
  });

  test('a run that fails again can be resumed again', async () => {
    const id = await failedAt('generate');
    const mend = house.fail('generate', away);
    expect((await resume(id)).status).toBe(202);
    expect(await ended(id)).toMatchObject({ status: 'failed', reason: { code: 'Index.Unavailable' } });
    mend();
    expect(await (await resume(id)).json()).toMatchObject({ from: 'generate' });
    expect(await ended(id)).toMatchObject({ status: 'answered' });
  });

  test('resumes once, however often and however close together it is called', async () => {
    const id = await failedAt('retrieve');
    const gate = house.hold('retrieve');
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => resume(id)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([202, 409, 409, 409, 409]);
    gate.release();
    expect(await ended(id)).toMatchObject({ status: 'answered' });
    const again = await resume(id);
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'Run.NotFailed' }]);
    const first = await handle(id).describe();
    const runs = [];
    for await (const run of house.env.client.workflow.list({ query: `WorkflowId = 'question.main.${id}'` }))
      runs.push(run.runId);
    expect(runs).toHaveLength(2);
    expect(runs).toContain(first.runId);
  });

  test('refuses what has not failed, and says what can be done', async () => {
    const gate = house.hold('grade');
    const { id } = (await (await house.ask('What is the late fee?')).json()) as { id: string };
    await gate.reached;
    const running = await resume(id, { from: 'retrieve' });
    gate.release();
    await ended(id);
    const answered = await resume(id);
    expect([running.status, answered.status]).toEqual([409, 409]);
    expect(await running.json()).toMatchObject({ code: 'Run.NotFailed', detail: expect.stringMatching(/under way/) });
    expect(await answered.json()).toMatchObject({
      code: 'Run.NotFailed',
      detail: expect.stringMatching(/name the step/),
    });
  });

  test('refuses a step that is none, or that the run has not done, with those that it has', async () => {
    const id = await failedAt('retrieve');
    for (const from of ['rewrite', 'think']) {
      const response = await resume(id, { from });
      expect([response.status, await response.json()]).toMatchObject([
        422,
        { code: 'Run.UnknownStep', detail: expect.stringContaining('its steps: analyse, retrieve.') },
      ]);
    }
    expect((await resume(id, { reason: 'x'.repeat(501) })).status).toBe(422);
    expect((await resume(id, { step: 'retrieve' })).status).toBe(422);
  });

  test('is for the asker and for operators that may see the run', async () => {
    const own = await failedAt('retrieve');
    const anns = await failedAt('retrieve', ann.token);
    expect((await resume(own, {}, people.birch.token)).status).toBe(404);
    expect((await resume(own, {}, people.intern.token)).status).toBe(404);
    const seen = await resume(own, {}, ann.token);
    expect([seen.status, await seen.json()]).toMatchObject([403, { code: 'Access.RoleNeeded' }]);
    expect((await resume(anns, {}, ann.token)).status).toBe(202);
    await ended(anns);
    // The owner is an operator.
    expect((await resume(anns, { from: 'retrieve' })).status).toBe(202);
    expect(await ended(anns)).toMatchObject({ status: 'answered' });
  });
});

describe('the event stream of a resumed run', () => {
  const open = async (id: string, lastEventId?: string) =>
    readSse(
      await house.request(`/v1/questions/${id}/events`, {
        headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
      }),
    );

  test('brings all of the newest run to a reader who had the failure of the one before, and then goes on as ever', async () => {
    const id = await failedAt('generate');
    const failed = await open(id);
    const error = (await failed.rest()).at(-1);
    expect(error).toMatchObject({ type: 'run-error' });
    await resume(id);
    await ended(id);

    const back = await open(id, failed.ids.at(-1));
    const events = await back.rest();
    expect(back.all[0]).toMatchObject({ type: 'text-reset', reason: 'the run was resumed' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered' });
    const last = back.ids.at(-1) ?? '';
    expect(last).toMatch(/^\d+-[0-9a-f]{8}$/);
    const after = await house.request(`/v1/questions/${id}/events`, { headers: { 'Last-Event-ID': last } });
    expect(after.status).toBe(204);
  });
});

describe('a list of runs', () => {
  const list = async (query: string) =>
    (await (await house.request(`/v1/questions?${query}`)).json()) as {
      questions: QuestionSummary[];
      next: string | null;
    };
  const until = async (query: string, found: (ids: string[]) => boolean) => {
    for (;;) {
      const { questions } = await list(query);
      if (found(questions.map(({ id }) => id))) return questions;
    }
  };

  test('holds a resumed run once, as it stands now', async () => {
    const id = await failedAt('retrieve');
    const failed = await until('status=failed&limit=200', (ids) => ids.includes(id));
    const { askedAt } = failed.find((question) => question.id === id) ?? {};
    const gate = house.hold('retrieve');
    await resume(id);
    await until('status=running', (ids) => ids.includes(id));
    expect((await list('status=failed&limit=200')).questions.map(({ id: one }) => one)).not.toContain(id);
    gate.release();
    await ended(id);
    const found = await until('status=answered&limit=200', (ids) => ids.includes(id));
    expect(found.find((question) => question.id === id)).toMatchObject({ status: 'answered', reason: null, askedAt });
    expect((await list('limit=200')).questions.filter((question) => question.id === id)).toHaveLength(1);
  });

  test('is filtered by reason and time, and read page by page', async () => {
    const ids = [await failedAt('retrieve'), await failedAt('retrieve'), await failedAt('retrieve')];
    const query = 'status=failed&reason=Index.Unavailable&since=10m';
    await until(query, (found) => ids.every((id) => found.includes(id)));
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`${query}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.questions.map(({ id }) => id));
      cursor = page.next;
    }
    expect(paged).toEqual((await list(`${query}&limit=200`)).questions.map(({ id }) => id));
    expect((await list('reason=Model.Refused')).questions).toEqual([]);
    const later = new Date().toISOString();
    expect((await list(`status=failed&since=${later}`)).questions).toEqual([]);
  });

  test.each(["reason=x'%20OR%20'a'='a", 'reason=', 'since=tomorrow', 'cursor=made-up', 'cursor='])(
    'refuses %s',
    async (query) => {
      expect((await house.request(`/v1/questions?${query}`)).status).toBe(422);
    },
  );
});
