import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import { RunReader } from '../../api/run-reader.ts';
import type { FoundQuestion } from '../../client/found-question.ts';
import type { PlumblineClient } from '../../client/plumbline-client.ts';
import type { LiveEvent, StepEvent, TextEvent } from '../../domain/contracts/events.ts';

const at = '2026-01-01T00:00:00.000Z';
const step = (seq: number): StepEvent => ({ seq, at, type: 'step-start', step: 'generate', note: null });
const runEnd = (seq: number): StepEvent => ({ seq, at, type: 'run-end', status: 'answered' });
const text = (said: string, offset = 0): TextEvent[] => [
  { type: 'text-start', textId: 'one', at },
  { type: 'text-delta', textId: 'one', at, offset, text: said },
  { type: 'text-end', textId: 'one', at, length: offset + said.length },
];
const [start, piece, end] = text('The fee is 12 %.');

/** A reader of a run that, when asked, tells the steps in `known`, and a bus to publish on. */
function house({ after = 0, pollMs = 10_000, known = [] as StepEvent[] } = {}) {
  const events = createInProcessEvents();
  const gone = new AbortController();
  let asked = 0;
  const plumbline = {
    progressOf: () => {
      asked++;
      return Promise.resolve({ events: [...known] });
    },
    describe: () => Promise.resolve({ status: { name: 'RUNNING' } }),
  } as unknown as PlumblineClient;
  const found = { id: 'q', workflowId: 'question.main.q' } as FoundQuestion;
  const reader = new RunReader({ found, plumbline, events, pollMs, after, signal: gone.signal });
  const got: LiveEvent[] = [];
  const done = (async () => {
    for await (const event of reader.events()) got.push(event);
  })();
  const publish = (...told: (LiveEvent | undefined)[]) => {
    for (const event of told) if (event) events.publish(found.workflowId, event);
  };
  return { known, got, done, publish, leave: () => gone.abort(), asked: () => asked };
}

/** Long enough for everything that has been published to be read. */
const settle = () => sleep(20);

describe('text beside steps', () => {
  test('comes in the order in which the bus brought it, and the run is not asked for it', async () => {
    const { got, done, publish, asked } = house();
    await settle();
    const told = [step(1), start!, piece!, end!, step(2), runEnd(3)];
    publish(...told);
    await done;
    expect(got).toEqual(told);
    expect(asked()).toBe(1);
  });

  test('comes at once although a step is missing, and the gap is filled by the run', async () => {
    const { known, got, done, publish, asked } = house();
    await settle();
    publish(step(2), start, piece);
    await settle();
    expect(got).toEqual([start, piece]);
    known.push(step(1), step(2));
    publish(step(3), end, runEnd(4));
    await done;
    expect(got).toEqual([start, piece, end, step(1), step(2), step(3), runEnd(4)]);
    expect(asked()).toBeLessThanOrEqual(3);
  });

  test('many pieces do not make the run be asked', async () => {
    const { publish, asked, leave, done } = house({ pollMs: 200 });
    await settle();
    publish(step(1), start);
    for (let i = 0; i < 30; i++) {
      publish({ type: 'text-delta', textId: 'one', at, offset: i, text: 'x' });
      await sleep(2);
    }
    expect(asked()).toBe(1);
    leave();
    await done;
  });

  test('is simply absent where the bus brings nothing', async () => {
    const { known, got, done } = house({ pollMs: 20 });
    known.push(step(1), step(2));
    await settle();
    known.push(runEnd(3));
    await done;
    expect(got).toEqual([step(1), step(2), runEnd(3)]);
  });
});

describe('a reader who comes in the middle of a text', () => {
  test('gets the steps so far and nothing of the text, but the next one from its start', async () => {
    const { got, done, publish } = house({ known: [step(1)] });
    await settle();
    const again: TextEvent = { type: 'text-reset', at, reason: 'the answer is revised' };
    publish(
      { type: 'text-delta', textId: 'one', at, offset: 8, text: 'is 12 %.' },
      end,
      again,
      start,
      piece,
      end,
      runEnd(2),
    );
    await done;
    expect(got).toEqual([step(1), start, piece, end, runEnd(2)]);
  });

  test('coming back, is told first that what it shows no longer holds', async () => {
    const { got, done, publish } = house({ after: 2, known: [step(1), step(2), step(3)] });
    await settle();
    publish({ type: 'text-delta', textId: 'one', at, offset: 8, text: 'is 12 %.' }, end, runEnd(4));
    await done;
    expect(got).toEqual([expect.objectContaining({ type: 'text-reset' }), step(3), runEnd(4)]);
  });
});

test('text after the terminal event is not waited for', async () => {
  const { got, done, publish } = house();
  await settle();
  publish(step(1), runEnd(2), start, piece);
  await done;
  expect(got.at(-1)).toEqual(runEnd(2));
});

test('a run that was resumed meanwhile ends the stream, also under a number that the reader has had before', async () => {
  const { got, done, known } = house({ pollMs: 20, known: [step(1), step(2), step(3)] });
  await settle();
  known.splice(1, 2, runEnd(2));
  await done;
  expect(got).toEqual([step(1), step(2), step(3), runEnd(2)]);
});
