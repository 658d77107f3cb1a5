import { afterEach, expect, test } from '@jest/globals';
import type { EventsPort } from '../../adapters/store/port.ts';
import type { LiveEvent, StepEvent } from '../../domain/contracts/events.ts';

export const event = (seq: number): StepEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'run-end',
  status: 'answered',
});

/** Null for an event without one. */
export const seqOf = (event: LiveEvent): number | null => ('seq' in event ? event.seq : null);

/** What is true soon: events may take their time on the way. */
export async function eventually(check: () => void, ms = 5000): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** The contract of the events port. `open` gives a publishing and a listening side, which may be one and the same. */
export function eventsContract(open: () => Promise<{ publisher: EventsPort; reader: EventsPort }>): void {
  const opened: EventsPort[] = [];
  afterEach(async () => {
    for (const port of new Set(opened.splice(0))) await port.close();
  });

  /** Both sides, and a wait for all that was published. */
  async function house() {
    const sides = await open();
    opened.push(sides.publisher, sides.reader);
    const seen: (number | null)[] = [];
    let mark = 0;
    sides.reader.subscribe('mark', (given) => seen.push(seqOf(given)));
    const delivered = async () => {
      const wanted = ++mark;
      // Published again until it comes: the listening side may still be on its way to the bus.
      await eventually(() => {
        sides.publisher.publish('mark', event(wanted));
        expect(seen).toContain(wanted);
      });
    };
    await delivered();
    return { ...sides, delivered };
  }

  test('every listener of a run gets its events in order, and nobody else does', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: [string, number | null][] = [];
    reader.subscribe('question.a.1', (given) => heard.push(['first', seqOf(given)]));
    reader.subscribe('question.a.1', (given) => heard.push(['second', seqOf(given)]));
    reader.subscribe('question.a.2', (given) => heard.push(['other', seqOf(given)]));
    publisher.publish('question.a.1', event(1));
    publisher.publish('question.a.1', event(2));
    publisher.publish('question.a.3', event(3));
    await delivered();
    expect(heard).toEqual([
      ['first', 1],
      ['second', 1],
      ['first', 2],
      ['second', 2],
    ]);
  });

  test('an event arrives whole: every field, accents, emoji and line breaks', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: LiveEvent[] = [];
    reader.subscribe('a', (given) => heard.push(given));
    const { seq, at } = event(7);
    const sent: StepEvent = { seq, at, type: 'run-error', reason: 'Model.Refused', message: 'Für „Ö“\n設備 🙂' };
    publisher.publish('a', sent);
    await delivered();
    expect(heard).toEqual([sent]);
  });

  test('steps and pieces of text keep their order', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: LiveEvent[] = [];
    reader.subscribe('a', (given) => heard.push(given));
    const { at } = event(1);
    const sent: LiveEvent[] = [
      event(1),
      { type: 'text-start', textId: 'one', at },
      { type: 'text-delta', textId: 'one', at, offset: 0, text: 'Die Gebühr ' },
      event(2),
      { type: 'text-delta', textId: 'one', at, offset: 11, text: 'ist 12\u202f% 🙂' },
      { type: 'text-end', textId: 'one', at, length: 22 },
      { type: 'text-reset', at, reason: 'a statement was refused' },
    ];
    for (const one of sent) publisher.publish('a', one);
    await delivered();
    expect(heard).toEqual(sent);
  });

  test('who has unsubscribed hears nothing more, and twice is no harm', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: (number | null)[] = [];
    const listener = (given: LiveEvent) => heard.push(seqOf(given));
    const offs = [reader.subscribe('a', listener), reader.subscribe('a', listener)];
    publisher.publish('a', event(1));
    await delivered();
    offs[0]?.();
    offs[0]?.();
    publisher.publish('a', event(2));
    await delivered();
    offs[1]?.();
    publisher.publish('a', event(3));
    await delivered();
    expect(heard).toEqual([1, 1, 2]);
  });

  test('a name with the signs of patterns is that run only', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: string[] = [];
    for (const run of ['question.a.*', 'question.a.?', 'question.a.[b]'])
      reader.subscribe(run, (given) => heard.push(`${run} ${seqOf(given)}`));
    publisher.publish('question.a.b', event(1));
    publisher.publish('question.a.*', event(2));
    await delivered();
    expect(heard).toEqual(['question.a.* 2']);
  });

  test('nothing is heard after closing', async () => {
    const { publisher, reader, delivered } = await house();
    const heard: (number | null)[] = [];
    reader.subscribe('a', (given) => heard.push(seqOf(given)));
    publisher.publish('a', event(1));
    await delivered();
    await reader.close();
    publisher.publish('a', event(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual([1]);
  });
}
