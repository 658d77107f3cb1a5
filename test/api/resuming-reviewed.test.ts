import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ann, openReviewHouse, problem, type ReviewHouse } from './review-house.ts';

let house: ReviewHouse;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  house = await openReviewHouse();
  worker = await house.api.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const resume = (id: string, from: string, token = house.api.token) =>
  house.api.request(`/v1/questions/${id}/resumption`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ from }),
    token,
  });

interface Trail {
  round: number;
  state: string;
  openedAt: string;
  trail: { action: string; actor: string | null; decision: string | null; note: string | null }[];
}
const review = async (id: string) => (await (await house.get(`/${id}`)).json()) as Trail;

test('a run goes on from the step after a decision with the decision, also when the deadline has passed since', async () => {
  const id = await house.waiting('short-of-time');
  const evidence = { from: 'text', title: 'Mail', text: 'The late fee is 9.' };
  expect((await house.decide(id, { kind: 'addEvidence', evidence })).status).toBe(200);
  await house.until(id, 'answered');
  await pause(1500);
  expect((await resume(id, 'add-evidence')).status).toBe(202);
  expect(await house.until(id, 'answered')).toMatchObject({ review: { decided: { kind: 'addEvidence', by: 'ann' } } });
});

test('to undo a decision needs an operator; the next reviewer sees what was undone, and has the whole time', async () => {
  const id = await house.waiting('asks-first', ann.token);
  const { openedAt } = await review(id);
  expect((await house.decide(id, { kind: 'reject', reason: 'Legal forbids it.' })).status).toBe(200);
  await house.until(id, 'denied', ann.token);

  const refused = await problem(resume(id, 'grade', ann.token));
  expect(refused).toMatchObject({ status: 403, code: 'Access.RoleNeeded' });
  expect(refused.detail).toMatch(/undo what a reviewer decided/);

  expect((await resume(id, 'grade')).status).toBe(202);
  await house.until(id, 'awaiting_review', ann.token);
  const again = await review(id);
  expect(again).toMatchObject({ state: 'open', round: 1 });
  expect(again.openedAt > openedAt).toBe(true);
  expect(again.trail).toContainEqual(
    expect.objectContaining({ action: 'undone', actor: ann.user, decision: 'reject', note: 'Legal forbids it.' }),
  );
  expect(again.trail).toContainEqual(expect.objectContaining({ action: 'resumed', note: 'from grade' }));
});
