import { describe, expect, test } from '@jest/globals';
import { groundAnswer } from '../../../domain/review/answer-grounding.ts';

const ground = (text: string, sourceText: string | null, vouched = false) =>
  groundAnswer({ text, sourceText, vouched, reviewer: 'ada' }, () => Promise.resolve());

/** What each statement cites. */
async function quotes(text: string, sourceText: string) {
  const { statements, source } = await ground(text, sourceText);
  return statements.map(({ support }) =>
    support === 'itself' ? support : support.map(({ start, end }) => source?.text.slice(start, end)),
  );
}

const handbook = `Invoices are sent monthly.
The late fee is 12 % of the invoice sum.
Reminders cost 5 crowns each.
Customers of the island pay no late fee.`;

describe('a statement of a reviewer', () => {
  test('cites the sentence that says so, not one that only speaks of the same', async () => {
    expect(await quotes('Late fees are 12 % of the sum of an invoice.', handbook)).toEqual([
      ['The late fee is 12 % of the invoice sum.'],
    ]);
    expect(await quotes('Customers of the island pay no late fee.', handbook)).toEqual([
      ['Customers of the island pay no late fee.'],
    ]);
  });

  test('cites two sentences that support it together', async () => {
    expect(await quotes('Invoices are sent monthly and reminders cost 5 crowns.', handbook)).toEqual([
      ['Invoices are sent monthly.', 'Reminders cost 5 crowns each.'],
    ]);
  });

  test.each([
    ['another number', 'The late fee is 13 % of the invoice sum.'],
    ['the contrary', 'Customers of the island pay a late fee.'],
    ['another subject', 'The harbour was built in 1907.'],
    ['a number of a list that is none', '12. The late fee is of the invoice sum.'],
  ])('that says %s is not supported', async (_, text) => {
    const { grounding, statements } = await ground(
      text,
      'The late fee is high. Customers of the island pay no late fee.',
    );
    expect(grounding).toMatchObject({ status: 'fail', statements: [{ supported: false }] });
    expect(statements[0]?.support).toHaveLength(1);
  });

  test('is not supported by a figure that stands far away', async () => {
    const filler = 'The ferry to the islands leaves every morning from the second pier. '.repeat(30);
    const { grounding } = await ground(
      'The late fee is 12 %.',
      `The late fee is high.\n\n${filler}\n\nThe tax is 12 %.`,
    );
    expect(grounding.status).toBe('fail');
  });

  test('is supported by a figure in the next sentence', async () => {
    const { grounding } = await ground('The late fee for members is 12 %.', 'The late fee is for members. It is 12 %.');
    expect(grounding.status).toBe('pass');
  });

  test('that rests on a list item cites what leads to it, too', async () => {
    const list =
      'These cannot be returned:\n1. cable cut to length;\n2. firmware keys.\n\nThese can be returned:\n- gaskets';
    expect(await quotes('Firmware keys cannot be returned.', list)).toEqual([
      ['These cannot be returned:', 'firmware keys.'],
    ]);
    expect(await quotes('- firmware keys', list)).toEqual([['These cannot be returned:', 'firmware keys.']]);
    expect((await ground('Firmware keys can be returned.', list)).grounding.status).toBe('fail');
    expect((await ground('Gaskets can be returned.', list)).grounding.status).toBe('pass');
  });

  test('in a list says what leads to the list, too', async () => {
    const status = async (text: string, sourceText: string) => (await ground(text, sourceText)).grounding.status;
    const list = 'Not refunded:\n- late returns\n- opened packages';
    expect(await status('Not refunded:\n- late returns', list)).toBe('pass');
    const turned = await ground('These are refunded:\n- late returns', list);
    expect(turned.grounding.statements.map(({ supported }) => supported)).toEqual([false, false]);
    expect(await status('Bring these:\n- an identity card', 'Bring an identity card.')).toBe('pass');
  });

  test('in a list is held against the source without its sign', async () => {
    const { grounding, statements } = await ground(
      '1. Invoices are sent monthly.\n2. Reminders cost 5 crowns each.',
      handbook,
    );
    expect(grounding.statements.map(({ reason }) => reason)).toEqual(['word for word', 'word for word']);
    expect(statements.map(({ text }) => text)).toEqual([
      '1. Invoices are sent monthly.',
      '2. Reminders cost 5 crowns each.',
    ]);
  });
});

test('others get their turn before each statement', async () => {
  let turns = 0;
  const given = { text: 'A. is here. B is there.\nC', sourceText: null, vouched: false, reviewer: 'ada' };
  const { statements } = await groundAnswer(given, () => Promise.resolve((turns += 1)));
  expect(turns).toBe(statements.length);
});
