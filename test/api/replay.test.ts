import { writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Replay } from '../../api/replay-routes.ts';
import type { ReplayReport } from '../../domain/contracts/replay.ts';
import { HistoryError, recordedRun, replayHistory } from '../../worker/replay.ts';
import { bundle } from '../support/question-runs.ts';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

const aide = { token: 'token-of-the-aide-', tenant: 'main', user: 'aide', groups: ['staff'] };

let house: ApiHouse;
let worker: { stop(): Promise<void> };
/** An API that replays really. */
let url: string;
beforeAll(async () => {
  house = await openApiHouse();
  worker = await house.startWorker();
  await writeFile(house.principalsFile, JSON.stringify([...Object.values(people), aide]));
  url = await house.listen({
    replay: async (workflowId, runId) =>
      replayHistory(recordedRun(await house.plumbline.history(workflowId, runId)), await bundle()),
  });
});
afterAll(async () => {
  await worker.stop();
  await house.close();
});

const asked = async (token = house.token) => {
  const response = await house.ask('What is the late fee?', { token, headers: { Prefer: 'wait=20' } });
  return ((await response.json()) as { id: string }).id;
};
const replay = (id: string, { at = url, token = house.token }: { at?: string; token?: string } = {}) =>
  house.request(`${at}/v1/questions/${id}/replay`, { method: 'POST', token });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('POST /v1/questions/{id}/replay', () => {
  test('tells that the run goes as it went', async () => {
    const id = await asked();
    const response = await replay(id);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      workflowId: `question.main.${id}`,
      runId: expect.any(String),
      workflowType: 'answerQuestion',
      events: expect.any(Number),
      ok: true,
      divergence: null,
    });
  });

  test("one's own runs are everybody's to replay, those of others an operator's, as far as they can be seen", async () => {
    const id = await asked(aide.token);
    expect((await replay(id, { token: aide.token })).status).toBe(200);
    expect((await replay(id)).status).toBe(200);
    const clerk = await replay(id, { token: people.clerk.token });
    expect([clerk.status, await codeOf(clerk)]).toEqual([403, 'Access.RoleNeeded']);
    for (const { token } of [people.intern, people.birch]) expect((await replay(id, { token })).status).toBe(404);
  });

  test('says where an API cannot replay, and why a history cannot be', async () => {
    const id = await asked();
    const here = await replay(id, { at: house.url });
    expect([here.status, await codeOf(here)]).toEqual([501, 'Replay.NotAvailable']);
    const broken = await house.listen({ replay: () => Promise.reject(new HistoryError('it does not end')) });
    const refused = await replay(id, { at: broken });
    expect([refused.status, await codeOf(refused)]).toEqual([422, 'Replay.NotPossible']);
    expect((await house.request(`/v1/questions/${id}/replay`)).status).toBe(405);
  });

  test('does one at a time, and turns away whoever comes when ten wait', async () => {
    const id = await asked();
    const begun: (() => void)[] = [];
    const report = { workflowType: 'answerQuestion', events: 1, ok: true, divergence: null };
    const slow: Replay = (workflowId, runId) =>
      new Promise<ReplayReport>((resolve) => begun.push(() => resolve({ ...report, workflowId, runId })));
    const at = await house.listen({ replay: slow });
    const turnedAway: Response[] = [];
    const bothAway = Promise.withResolvers<void>();
    const statuses = Array.from({ length: 13 }, async () => {
      const response = await replay(id, { at });
      if (response.status === 503 && turnedAway.push(response) === 2) bothAway.resolve();
      return response.status;
    });
    await bothAway.promise;
    for (const response of turnedAway)
      expect([response.headers.get('Retry-After'), await codeOf(response)]).toEqual(['10', 'Replay.Busy']);
    let ended = false;
    const all = Promise.all(statuses).finally(() => (ended = true));
    while (!ended) {
      expect(begun.length).toBeLessThanOrEqual(1);
      begun.shift()?.();
      await nextTurn();
    }
    expect((await all).toSorted()).toEqual([...Array<number>(11).fill(200), 503, 503]);
  });
});
