import { describe, expect, test } from '@jest/globals';
import xterm from '@xterm/headless';
import { StepPrinter } from '../../client/cli/print-steps.ts';
import type { LiveEvent } from '../../domain/contracts/events.ts';

const at = '2026-01-01T00:00:00.000Z';
const stepStart = (seq: number, step: 'generate' | 'check-grounding'): LiveEvent => ({
  seq,
  at,
  type: 'step-start',
  step,
  note: null,
});
const stepEnd = (seq: number, step: 'generate' | 'check-grounding'): LiveEvent => ({
  seq,
  at,
  type: 'step-end',
  step,
  ms: 8,
  note: 'done',
});
const start: LiveEvent = { type: 'text-start', textId: 'one', at };
const piece = (text: string): LiveEvent => ({ type: 'text-delta', textId: 'one', at, offset: 0, text });
const reset: LiveEvent = { type: 'text-reset', at, reason: 'the answer is revised' };
const runEnd: LiveEvent = { seq: 9, at, type: 'run-end', status: 'answered' };

/** A printer on a terminal of that size, and what the terminal shows: rows without those that are empty at the end. */
function terminal({ cols = 40, rows = 12, isTTY = true } = {}) {
  const screen = new xterm.Terminal({ cols, rows, convertEol: true, allowProposedApi: true, scrollback: 1000 });
  let written = '';
  let drawn = Promise.resolve();
  const stream = {
    isTTY,
    columns: cols,
    rows,
    write: (text: string) => {
      written += text;
      drawn = new Promise((resolve) => screen.write(text, resolve));
      return true;
    },
  } as unknown as NodeJS.WriteStream;
  const printer = new StepPrinter(stream);
  return {
    print: (...events: LiveEvent[]) => events.forEach((event) => printer.print(event)),
    end: () => printer.end(),
    written: () => written,
    shows: async () => {
      await drawn;
      const { active } = screen.buffer;
      const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '');
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
    },
  };
}

const generated = '  ✓ generate        done 8 ms';

describe('on a terminal', () => {
  test('the draft grows below the step that is under way, stays while it is checked, and goes at the end', async () => {
    const { print, shows } = terminal();
    print(stepStart(1, 'generate'), start, piece('The late '));
    expect(await shows()).toEqual(['  … generate', '    The late']);
    print(piece('fee is 12 % of the price and is due after 30 days.'), piece('\nIt is capped.'));
    expect(await shows()).toEqual([
      '  … generate',
      '    The late fee is 12 % of the price',
      'and is due after 30 days.',
      '    It is capped.',
    ]);
    print({ type: 'text-end', textId: 'one', at, length: 1 }, stepEnd(2, 'generate'), stepStart(3, 'check-grounding'));
    expect(await shows()).toEqual([
      generated,
      '  … check-grounding',
      '    The late fee is 12 % of the price',
      'and is due after 30 days.',
      '    It is capped.',
    ]);
    print(stepEnd(4, 'check-grounding'), runEnd);
    expect(await shows()).toEqual([generated, '  ✓ check-grounding done 8 ms', '  answered']);
  });

  test('a draft that is taken back leaves nothing behind', async () => {
    const { print, shows } = terminal();
    print(stepStart(1, 'generate'), start, piece(`${'Wrong '.repeat(20)}\nand more`), reset);
    expect(await shows()).toEqual(['  … generate']);
    print(start, piece('Right.'));
    expect(await shows()).toEqual(['  … generate', '    Right.']);
  });

  test('a draft longer than the screen shows its end, and leaves nothing behind either', async () => {
    const { print, end, shows } = terminal({ rows: 6 });
    print(stepEnd(1, 'generate'), start, piece(Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')));
    expect((await shows()).slice(-2)).toEqual(['    line 28', '    line 29']);
    end();
    expect(await shows()).toEqual([generated]);
  });

  test('what a terminal would obey is not passed on', async () => {
    const { print, written } = terminal();
    print(start, piece('a\u001b]0;owned\u0007b\rc'));
    expect(written()).toContain('a ]0;owned b\nc'.split('\n')[0]);
    expect(written()).not.toContain('\u001b]');
  });
});

test('without a terminal only the steps are written, line by line', () => {
  const { print, end, written } = terminal({ isTTY: false });
  print(stepStart(1, 'generate'), start, piece('The fee.'), reset, stepEnd(2, 'generate'), runEnd);
  end();
  expect(written()).toBe(`${generated}\n  answered\n`);
});
