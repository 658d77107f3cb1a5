import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { TextStream } from '../../activities/text-stream.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTime(ms);

function house() {
  const events: { type: string; offset?: number; text?: string }[] = [];
  const ids = new Set<string>();
  const stream = new TextStream((event) => {
    if (!('textId' in event)) return void events.push(event);
    const { textId, ...rest } = event;
    ids.add(textId);
    events.push(rest);
  });
  return { events, ids, stream };
}

test('the first piece leaves at once, those of the next 20 ms in one, and the end brings what is left', () => {
  const { events, stream } = house();
  stream.add('The ');
  expect(events).toEqual([{ type: 'text-start' }, { type: 'text-delta', offset: 0, text: 'The ' }]);
  for (const piece of ['fee ', 'is ', '12 ']) {
    pass(6);
    stream.add(piece);
  }
  expect(events).toHaveLength(2);
  pass(2);
  expect(events.slice(2)).toEqual([{ type: 'text-delta', offset: 4, text: 'fee is 12 ' }]);
  for (const piece of ['%', '.']) stream.add(piece);
  stream.end();
  expect(events.slice(3)).toEqual([
    { type: 'text-delta', offset: 14, text: '%.' },
    { type: 'text-end', length: 16 },
  ]);
  pass(100);
  expect(events).toHaveLength(5);
});

test('after a silence a piece leaves at once again', () => {
  const { events, stream } = house();
  stream.add('a');
  pass(25);
  stream.add('b');
  expect(events.map(({ text }) => text)).toEqual([undefined, 'a', 'b']);
});

test('at most one piece in 20 ms, however many come, and nothing is lost', () => {
  const { events, stream } = house();
  for (let i = 0; i < 100; i++) {
    stream.add(`${i} `);
    pass(2);
  }
  stream.end();
  const pieces = events.filter(({ type }) => type === 'text-delta');
  expect(pieces.length).toBeLessThanOrEqual(11);
  expect(pieces.map(({ text }) => text).join('')).toBe(Array.from({ length: 100 }, (_, i) => `${i} `).join(''));
  const ends = pieces.map(({ offset = 0, text = '' }) => offset + text.length);
  expect(pieces.map(({ offset }) => offset)).toEqual([0, ...ends.slice(0, -1)]);
});

test('what is taken back does not come later, and a new text begins at 0', () => {
  const { events, stream } = house();
  stream.add('Half ');
  stream.add('an ');
  stream.reset('the answer could not be finished');
  pass(40);
  stream.add('Whole.');
  stream.end();
  expect(events.map(({ type }) => type)).toEqual([
    'text-start',
    'text-delta',
    'text-reset',
    'text-start',
    'text-delta',
    'text-end',
  ]);
  expect(events.at(-2)).toMatchObject({ offset: 0, text: 'Whole.' });
});

test('without a text there is no end, and nothing to take back unless an earlier attempt may have shown some', () => {
  const { events, stream } = house();
  stream.add('');
  stream.end();
  stream.reset('nothing');
  expect(events).toEqual([]);
  stream.reset('the answer is revised', { always: true });
  expect(events).toEqual([{ type: 'text-reset', reason: 'the answer is revised' }]);
});

test('what cannot be seen is not sent, and is not counted', () => {
  const { events, stream } = house();
  for (const piece of ['\u200b', '\u202e12', '\u0007\u001b', '\u2066 %\n']) stream.add(piece);
  stream.end();
  const text = events.map((event) => event.text ?? '').join('');
  expect(text).toBe('12 %\n');
  expect(events[0]).toEqual({ type: 'text-start' });
  expect(events[1]).toMatchObject({ type: 'text-delta', offset: 0, text: '12' });
  expect(events.at(-1)).toEqual({ type: 'text-end', length: 5 });
});
