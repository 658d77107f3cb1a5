import { expect, test } from '@jest/globals';
import { createInProcessEvents } from '../../adapters/store/in-process-events.ts';
import type { LiveEvent, StepEvent } from '../../domain/contracts/events.ts';

const event = (seq: number): StepEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'run-end',
  status: 'answered',
});

const seqOf = (heard: LiveEvent) => ('seq' in heard ? heard.seq : null);

test('every listener of a run gets its events in order, and nobody else does', () => {
  const events = createInProcessEvents();
  const heard: [string, number | null][] = [];
  events.subscribe('a', (given) => heard.push(['first', seqOf(given)]));
  events.subscribe('a', (given) => heard.push(['second', seqOf(given)]));
  events.subscribe('b', (given) => heard.push(['other', seqOf(given)]));
  events.publish('a', event(1));
  events.publish('a', event(2));
  events.publish('c', event(3));
  expect(heard).toEqual([
    ['first', 1],
    ['second', 1],
    ['first', 2],
    ['second', 2],
  ]);
});

test('who has unsubscribed hears nothing more, even in the middle of an event, and twice is no harm', () => {
  const events = createInProcessEvents();
  const heard: (number | null)[] = [];
  const listener = (given: LiveEvent) => heard.push(seqOf(given));
  const offs = [events.subscribe('a', listener), events.subscribe('a', listener)];
  events.publish('a', event(1));
  offs[0]?.();
  offs[0]?.();
  events.publish('a', event(2));
  offs[1]?.();
  events.publish('a', event(3));
  expect(heard).toEqual([1, 1, 2]);
});

test('a listener that unsubscribes itself does not take the event from the next one', () => {
  const events = createInProcessEvents();
  const heard: string[] = [];
  const off = events.subscribe('a', () => {
    heard.push('first');
    off();
  });
  events.subscribe('a', () => heard.push('second'));
  events.publish('a', event(1));
  events.publish('a', event(2));
  expect(heard).toEqual(['first', 'second', 'second']);
});

test('a listener that fails does not keep the event from the others, and its failure is told', () => {
  const events = createInProcessEvents();
  const heard: (number | null)[] = [];
  events.subscribe('a', () => {
    throw new Error('broken pipe');
  });
  events.subscribe('a', (given) => heard.push(seqOf(given)));
  expect(() => events.publish('a', event(1))).toThrow(AggregateError);
  expect(heard).toEqual([1]);
});

test('a new listener after all had left hears again, and none does after closing', async () => {
  const events = createInProcessEvents();
  const heard: (number | null)[] = [];
  const off = events.subscribe('a', () => undefined);
  events.subscribe('a', (given) => heard.push(seqOf(given)))();
  off();
  events.subscribe('a', (given) => heard.push(seqOf(given)));
  // Late, and of an earlier subscription: it must not take the new one away.
  off();
  events.publish('a', event(1));
  await events.close();
  events.publish('a', event(2));
  expect(heard).toEqual([1]);
});
