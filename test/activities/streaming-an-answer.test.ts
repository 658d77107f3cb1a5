import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import type { StoredPassage } from '../../adapters/index/port.ts';
import { WholeTexts } from '../../api/whole-texts.ts';
import type { LiveEvent } from '../../domain/contracts/events.ts';
import { failure, type Answer } from '../support/provider-server/answers.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { answerHouse, failureOf } from './answer-house.ts';
import { choices, modelsAt, noModels, stored } from './model-steps.ts';

let server: ProviderServer;
let passages: StoredPassage[];
beforeAll(async () => {
  server = await startProviderServer({ respond: () => undefined });
  passages = [
    await stored('fees', ['A late fee of 12 % is charged after 30 days.', 'The fee must not exceed 400 marks.']),
  ];
});
afterAll(() => server.close());
beforeEach(() => server.clear());

const two = {
  statements: [
    { text: 'A late fee of 12 % is charged.', sources: ['s1'] },
    { text: 'It is “at most” 400 marks 🙂.', sources: ['s2'] },
  ],
  unanswered: [],
};
const whole = two.statements.map(({ text }) => text).join('\n');
const question = 'What is the late fee?';
const house = () => answerHouse(modelsAt(server), passages, question);
const answers = (...given: Answer[]) => server.respondWith(({ call }) => given[call - 1]);

/** What a reader who was there from the start has on the screen at the end, and whether it is said to be whole. */
function onScreen(events: LiveEvent[]): { text: string | null; whole: boolean } {
  const filter = new WholeTexts();
  let state: { text: string | null; whole: boolean } = { text: null, whole: false };
  for (const event of events) {
    const passed = 'seq' in event ? null : filter.pass(event);
    if (passed?.type === 'text-start') state = { text: '', whole: false };
    if (passed?.type === 'text-delta') state.text += passed.text;
    if (passed?.type === 'text-end') state.whole = true;
    if (passed?.type === 'text-reset') state = { text: null, whole: false };
  }
  return state;
}

describe.each(['openai', 'anthropic'] as const)('a draft by %s', (provider) => {
  const generator = choices[provider];

  test('is shown while it is written: its start, then only what is new, then its end', async () => {
    answers({ says: two, pieces: 40, pieceMs: 4 });
    const { start, told, said } = await house();
    await start({ generator });
    const [first, ...rest] = said();
    expect(first).toBe('text-start');
    expect(rest.at(-1)).toBe('text-end');
    const pieces = rest.slice(0, -1);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(whole);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
    expect(onScreen(told)).toEqual({ text: whole, whole: true });
  });

  test('begins with its first characters, long before the model has ended', async () => {
    answers({ says: two, pieces: 60, pieceMs: 20 });
    const { start, said } = await house();
    const running = start({ generator });
    while (said().length < 2) await sleep(5);
    expect(server.journal[0]?.pieces).toBeLessThan(30);
    expect(two.statements[0]?.text.startsWith(said()[1] ?? '?')).toBe(true);
    await running;
  });

  test.each(['close', 'reset', { event: { type: 'error', error: { type: 'server_error', message: 'no' } } }] as const)(
    'whose stream breaks (%j) is taken back at once; a repeated attempt shows the whole',
    async (by) => {
      answers({ says: two, pieces: 10, cut: { afterPieces: 5, by } }, { says: two });
      const { start, said, told } = await house();
      const error = await failureOf(start({ generator }));
      expect(error.nonRetryable).toBe(false);
      expect(error.details).toMatchObject([{ calls: [{ step: 'generate', estimated: true }] }]);
      expect(said().at(-1)).toBe('reset: the answer could not be finished');
      expect(onScreen(told)).toEqual({ text: null, whole: false });
      const before = told.length;
      await start({ generator }, (await house()).environment(2));
      expect(said()[before]).toBe('reset: the answer is written again');
      expect(onScreen(told)).toEqual({ text: whole, whole: true });
      expect(server.calls()).toBe(2);
    },
  );

  test('that is cut off at the token limit is taken back, and the longer one shown in its place', async () => {
    const finish = provider === 'openai' ? 'length' : 'max_tokens';
    answers({ says: JSON.stringify(two).slice(0, 90), finish }, { says: two });
    const { start, said, told } = await house();
    const { statements } = await start({ generator });
    expect(statements).toHaveLength(2);
    expect(said().filter((one) => /^text-|^reset/.test(one))).toEqual([
      'text-start',
      'reset: the answer is written again',
      'text-start',
      'text-end',
    ]);
    expect(onScreen(told)).toEqual({ text: whole, whole: true });
  });

  test('of a cancelled run is taken back, and the provider sees the connection close', async () => {
    answers({ says: two, pieces: 60, pieceMs: 50 });
    const { start, environment, said, told } = await house();
    const on = environment();
    const running = start({ generator }, on);
    while (told.length < 2) await sleep(5);
    const cancelled = performance.now();
    on.cancel('CANCELLED');
    await expect(running).rejects.toThrow(CancelledFailure);
    await server.journal[0]?.ended;
    expect(performance.now() - cancelled).toBeLessThan(1000);
    expect(server.journal[0]?.closedEarly).toBe(true);
    expect(said().at(-1)).toMatch(/^reset/);
    await sleep(50);
    expect(server.calls()).toBe(1);
    expect(onScreen(told)).toEqual({ text: null, whole: false });
  });
});

test('a call that fails before it says anything shows nothing and takes nothing back', async () => {
  answers(failure('openai', 500));
  const { start, told } = await house();
  expect(await failureOf(start())).toMatchObject({ type: 'Model.ServerError' });
  expect(told).toEqual([]);
});

describe('a revision', () => {
  const revision = { reasons: ['"It is 13 %.": "13 %" is not in the source'] };

  test('takes back the draft before it, even before the model is asked', async () => {
    answers({ says: two, waitMs: 200 });
    const { start, said } = await house();
    const running = start({ revision });
    while (said().length === 0) await sleep(5);
    expect(said()).toEqual(['reset: the answer is revised']);
    await running;
    expect(said().filter((one) => /^text-|^reset/.test(one))).toEqual([
      'reset: the answer is revised',
      'text-start',
      'text-end',
    ]);
  });

  test('by the extractive generator does so, too', async () => {
    const { start, said } = await answerHouse(noModels, passages, question);
    await start({ revision, generator: choices.local });
    expect(said()).toEqual(['reset: the answer is revised']);
  });
});

test('a policy without streaming shows nothing, not even a reset', async () => {
  answers({ says: two, pieces: 8, cut: { afterPieces: 5, by: 'close' } }, { says: two });
  const { start, environment, told } = await house();
  const generate = { maxStatements: 4, stream: 'off' as const };
  await failureOf(start({ generate }));
  await start({ generate, revision: { reasons: ['no'] } }, environment(2));
  expect(told).toEqual([]);
});

describe('a policy that shows checked statements', () => {
  const generate = { maxStatements: 2, stream: 'checked' as const };

  test('shows each as a whole once it is there and holds, and no other', async () => {
    const statements = [
      { text: 'The late fee is 13 % after 30 days.', sources: ['s1'] },
      { text: 'A late fee of 12 % is charged after 30 days.', sources: ['s1'] },
      { text: 'The moon is made of cheese.', sources: ['s9'] },
      { text: 'The fee must not exceed 400 marks [s2].', sources: ['s2'] },
      { text: 'A late fee is charged.', sources: ['s1'] },
    ];
    answers({ says: { statements, unanswered: [] }, pieces: 120, pieceMs: 2 });
    const { start, said } = await house();
    await start({ generate });
    expect(said()).toEqual([
      'text-start',
      'A late fee of 12 % is charged after 30 days.',
      '\nThe fee must not exceed 400 marks.',
      'text-end',
    ]);
  });

  test('shows a statement before the next one is written', async () => {
    answers({ says: two, pieces: 60, pieceMs: 20 });
    const { start, said } = await house();
    const running = start({ generate });
    while (said().length < 2) await sleep(5);
    expect(server.journal[0]?.pieces).toBeLessThan(50);
    expect(said()[1]).toBe('A late fee of 12 % is charged.');
    await running;
  });
});

test('a draft shows no more statements than the policy allows', async () => {
  answers({ says: two });
  const { start, said } = await house();
  await start({ generate: { maxStatements: 1, stream: 'draft' } });
  expect(said().slice(1, -1).join('')).toBe('A late fee of 12 % is charged.');
});

test('a bus that fails costs the readers the text, not the run its answer', async () => {
  answers({ says: two });
  const { start, environment } = await answerHouse(modelsAt(server), passages, question);
  const on = environment();
  Object.assign(on.context.info, { workflowExecution: { workflowId: 'another', runId: 'r' } });
  expect((await start({}, on)).statements).toHaveLength(2);
});
