import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { AnswerQuestionInput } from '../../domain/contracts/run.ts';
import { installRuntime } from '../../launcher/sdk-log.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import { HistoryError, recordedRun, replayHistory } from '../../worker/replay.ts';
import { bundle, questionWorker, startQuestion } from '../support/question-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer } from '../support/servers.ts';

interface JsonEvent {
  eventId: string;
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  workflowExecutionStartedEventAttributes?: { workflowType: { name: string }; input: Payloads };
  markerRecordedEventAttributes?: { details: { data: Payloads } };
}
interface Payloads {
  payloads: { data: string }[];
}

const file = join(import.meta.dirname, '..', 'histories', 'answered-after-decompose.json');
const events = () => (JSON.parse(readFileSync(file, 'utf8')) as { events: JsonEvent[] }).events;

/** The history with one thing in it changed, as if the code had been another then. */
function changed(change: (events: JsonEvent[]) => void): { events: JsonEvent[] } {
  const all = events();
  change(all);
  return { events: all };
}

function rewrite(payloads: Payloads | undefined, change: (value: object) => void): void {
  const [payload] = payloads?.payloads ?? [];
  if (payload === undefined) throw new TypeError('there is no payload');
  const value = JSON.parse(Buffer.from(payload.data, 'base64').toString()) as object;
  change(value);
  payload.data = Buffer.from(JSON.stringify(value)).toString('base64');
}

let present: { code: string };
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  // What the SDK logs of a replay that fails is what the reports are to tell.
  installRuntime(new Writable({ write: (_chunk, _encoding, done) => done() }));
  [present, env] = await Promise.all([bundle(), devServer()]);
});
afterAll(() => env.teardown());

describe('the report of a replay', () => {
  test('of a history that the code goes along with', async () => {
    expect(await replayHistory(recordedRun({ events: events() }), present)).toEqual({
      workflowId: expect.stringMatching(/^question\.test\./),
      runId: expect.any(String),
      workflowType: 'answerQuestion',
      events: 48,
      ok: true,
      divergence: null,
    });
  });

  test('names the event, the step that it has and the one that the code comes to', async () => {
    const history = changed((all) => {
      all[12]!.activityTaskScheduledEventAttributes!.activityType.name = 'searchWeb';
    });
    expect(await replayHistory(recordedRun(history), present)).toMatchObject({
      ok: false,
      divergence: {
        eventId: 13,
        step: 'search-web',
        expected: 'the step search-web',
        found: 'the step rewrite',
        message: expect.stringContaining("'searchWeb' does not match activity type of activity command 'rewrite'"),
      },
    });
  });

  test('finds a step that ran in the workflow task, too', async () => {
    const history = changed((all) =>
      rewrite(all[11]!.markerRecordedEventAttributes?.details.data, (marker) =>
        Object.assign(marker, { activity_type: 'checkGrounding' }),
      ),
    );
    const { divergence } = await replayHistory(recordedRun(history), present);
    expect(divergence).toMatchObject({ eventId: 12, step: 'check-grounding', found: 'the step grade' });
  });

  test('tells where the code takes another way altogether', async () => {
    const history = changed((all) =>
      rewrite(all[0]!.workflowExecutionStartedEventAttributes?.input, (input) => {
        (input as AnswerQuestionInput).policy.tiers = [];
      }),
    );
    const { divergence } = await replayHistory(recordedRun(history), present);
    expect(divergence).toMatchObject({ eventId: 13, step: 'rewrite', found: 'a change of search attributes' });
  });

  test('tells an error of the code, which is no divergence of steps', async () => {
    const history = changed((all) =>
      rewrite(all[0]!.workflowExecutionStartedEventAttributes?.input, (input) => {
        Object.assign((input as AnswerQuestionInput).policy, { verdict: null });
      }),
    );
    const { ok, divergence } = await replayHistory(recordedRun(history), present);
    expect(ok).toBe(false);
    expect(divergence?.found).toMatch(/^an error: .*null/);
  });
});

describe('what is no history', () => {
  const missing = changed((all) => all.splice(10, 5));
  const renumbered = {
    events: missing.events.map((event, index) => ({ ...event, eventId: String(index + 1) })),
  };
  test.each([
    ['a number', 3, 'no list of events'],
    ['nothing', null, 'no list of events'],
    ['no event', { events: [] }, 'no list of events'],
    ['an event without a content', { events: [{ eventId: '1' }] }, 'something that no history has'],
    ['a part', { events: events().slice(3) }, 'event 1 is missing'],
    ['a run that nobody has taken up', { events: events().slice(0, 2) }, 'no worker has taken the run up'],
    ['one with a gap', missing, 'event 11 is missing'],
    ['one with a gap that was closed', renumbered, 'event 11 cannot follow'],
  ])('%s is refused with what is wrong', (_name, given, message) => {
    expect(() => recordedRun(given)).toThrow(expect.objectContaining({ name: 'HistoryError' }));
    expect(() => recordedRun(given)).toThrow(message);
  });

  test('a run of another program is refused by its workflow', async () => {
    const other = changed((all) => {
      all[0]!.workflowExecutionStartedEventAttributes!.workflowType.name = 'payOut';
    });
    const replayed = replayHistory(recordedRun(other), present);
    await expect(replayed).rejects.toThrow(HistoryError);
    await expect(replayed).rejects.toThrow('the workflow payOut');
  });
});

describe('a history of the server', () => {
  test('replays as it is fetched, as the SDK writes it and as the command line of Temporal does; so does one after a reset', async () => {
    const taskQueue = `replay-${randomUUID()}`;
    const { activities } = scriptedSteps({ search: () => [{ id: 'p1', score: 0.9 }] });
    const { worker } = await questionWorker({ connection: env.nativeConnection, taskQueue, activities });
    const { path } = await ensureTemporalCli(loadSettings(process.env));
    const shown = (workflowId: string, runId: string) => {
      const which = ['--workflow-id', workflowId, '--run-id', runId];
      const args = ['workflow', 'show', ...which, '--address', env.address, '--output', 'json'];
      return JSON.parse(execFileSync(path, args, { encoding: 'utf8' })) as unknown;
    };
    await worker.runUntil(async () => {
      const handle = await startQuestion(env.client, { taskQueue });
      await handle.result();
      const { workflowId, runId } = await handle.describe();
      const fetched = await handle.fetchHistory();
      const expected = { ok: true, workflowId, runId, events: fetched.events?.length };
      for (const given of [fetched, JSON.parse(historyToJSON(fetched)), shown(workflowId, runId)])
        expect(await replayHistory(recordedRun(given), present)).toMatchObject(expected);

      const lastTask = fetched.events?.findLast((event) => event.workflowTaskCompletedEventAttributes);
      const again = await env.client.workflowService.resetWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId, runId },
        workflowTaskFinishEventId: lastTask?.eventId ?? null,
        requestId: randomUUID(),
        reason: 'to see a history after a reset',
      });
      const second = env.client.workflow.getHandle(workflowId, again.runId);
      await second.result();
      const reset = recordedRun(await second.fetchHistory());
      expect(await replayHistory(reset, present)).toMatchObject({ ok: true });
    });
  });
});
