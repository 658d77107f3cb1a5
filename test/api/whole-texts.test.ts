import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WholeTexts } from '../../api/whole-texts.ts';
import type { TextEvent } from '../../domain/contracts/events.ts';

const at = '2026-01-01T00:00:00.000Z';
const start: TextEvent = { type: 'text-start', textId: 'one', at };
const reset: TextEvent = { type: 'text-reset', at, reason: 'the answer is written again' };
const piece = (offset: number, text: string): TextEvent => ({ type: 'text-delta', textId: 'one', at, offset, text });
const end = (length: number): TextEvent => ({ type: 'text-end', textId: 'one', at, length });

/** What a reader shows after each event: null for nothing. */
function shown(events: TextEvent[]): { text: string | null; whole: boolean }[] {
  const filter = new WholeTexts();
  let state: { text: string | null; whole: boolean } = { text: null, whole: false };
  return events.map((event) => {
    const passed = filter.pass(event);
    if (passed?.type === 'text-start') state = { text: '', whole: false };
    else if (passed?.type === 'text-delta') state = { ...state, text: `${state.text}${passed.text}` };
    else if (passed?.type === 'text-end') state = { ...state, whole: true };
    else if (passed?.type === 'text-reset') state = { text: null, whole: false };
    return state;
  });
}

/** The events of a text; `ends` false: it is broken off and taken back. */
function eventsOf(pieces: string[], ends: boolean, textId = 'one'): TextEvent[] {
  const offsets = pieces.map((_, i) => pieces.slice(0, i).join('').length);
  const deltas = pieces.map((text, i) => piece(offsets[i] ?? 0, text));
  const events = [start, ...deltas, ends ? end(pieces.join('').length) : reset];
  return events.map((event) => (event.type === 'text-reset' ? event : { ...event, textId }));
}

test('whoever has heard all sees the text grow', () => {
  expect(shown(eventsOf(['The fee ', 'is 12 %.'], true)).map(({ text }) => text)).toEqual([
    '',
    'The fee ',
    'The fee is 12 %.',
    'The fee is 12 %.',
  ]);
});

describe('a reader who comes in the middle of a text', () => {
  test('gets nothing of it, and the next one whole', () => {
    const heard = [...eventsOf(['The fee ', 'is 9 %.'], false).slice(2), ...eventsOf(['It is ', '12 %.'], true)];
    expect(shown(heard).map(({ text }) => text)).toEqual([null, null, '', 'It is ', 'It is 12 %.', 'It is 12 %.']);
  });

  test('gets nothing of its end either', () => {
    const filter = new WholeTexts();
    expect([piece(8, 'is 12 %.'), end(16), reset].map((event) => filter.pass(event))).toEqual([null, null, null]);
  });
});

test('a piece of another text is none of this one, although it would fit', () => {
  const heard = [start, piece(0, '    '), { ...piece(4, 'and 9 %.'), textId: 'two' }, { ...end(12), textId: 'two' }];
  expect(shown(heard).at(-1)).toEqual({ text: null, whole: false });
});

test('a lost piece takes the text back, once, and nothing more of it comes', () => {
  const filter = new WholeTexts();
  const [first, second, third, fourth] = [start, piece(0, 'The fee '), piece(11, '12 %'), piece(15, '.')];
  expect([first, second].map((event) => filter.pass(event))).toEqual([first, second]);
  expect(filter.pass(third)).toMatchObject({ type: 'text-reset', reason: expect.stringContaining('lost') });
  expect(filter.pass(fourth)).toBeNull();
  expect(filter.pass(end(16))).toBeNull();
});

test('whatever is lost on the way, a reader sees the beginning of a text, and as complete only a complete one', () => {
  const text = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.boolean()),
      (texts, kept) => {
        const all = texts.flatMap(([pieces, ends], index) => eventsOf(pieces, ends, `text ${index}`));
        const wholes = texts.map(([pieces]) => pieces.join(''));
        const complete = texts.filter(([, ends]) => ends).map(([pieces]) => pieces.join(''));
        const heard = all.filter(() => kept.next().value);
        for (const state of shown(heard)) {
          if (state.text !== null) expect(wholes.some((whole) => whole.startsWith(state.text ?? ''))).toBe(true);
          if (state.whole) expect(complete).toContain(state.text);
        }
      },
    ),
    { numRuns: 500 },
  );
});
