import { describe, expect, test } from '@jest/globals';
import { checkBeforeModel } from '../../../domain/grounding/check-grounding.ts';

const outage =
  'The outage at the Ravelin depot lasted 48 minutes on 3 April 2024 and the fee must not exceed 12% of the rent.';

function verdictOn(text: string, given: { quote?: string; passage?: string; context?: string } = {}) {
  const quote = given.quote ?? outage;
  const { passage = quote, context = '' } = given;
  const start = passage.indexOf(quote);
  const citation = { n: 1, evidenceId: 'e', quote, start, end: start + quote.length };
  const sources = { e: { text: passage, start: 0, context } };
  return checkBeforeModel([{ text, citations: [1] }], [citation], sources)[0];
}

describe('a statement that has little to do with its source is refused for good', () => {
  test.each([
    ['one word', 'MAGNOLIA'],
    ['a sentence more', `${outage} MAGNOLIA`],
    ['a sentence more, in plain words', `${outage} Gardeners love them.`],
    ['one word in common', 'Nobody was hurt in the outage.'],
    ['a reason that is made up', 'The outage lasted 48 minutes and was caused by a storm.'],
    ['a reason that is made up', 'The outage lasted 48 minutes because technicians slept.'],
    ['a reason after a semicolon', 'The outage lasted 48 minutes; technicians slept.'],
    ['another subject', 'Penguins swim faster than most fish.'],
  ])('%s: %s', (_, text) => {
    const verdict = verdictOn(text);
    expect(verdict?.verdict).toBe('refused');
    expect(verdict).toHaveProperty('reason', expect.stringMatching(/in common/));
  });

  test('a citation written into the text is nothing in common', () => {
    const quote = 'Rule 1 of the depot sets the deposit at 200 marks.';
    expect(verdictOn('Magnolia [1]', { quote })?.verdict).toBe('refused');
  });

  test('a word in capitals that no source has', () => {
    expect(verdictOn('MARLO: the outage at the depot lasted 48 minutes.')).toEqual({
      verdict: 'refused',
      reason: '"MARLO" is not in the source',
    });
  });

  test('in German too, where nothing at all is in common', () => {
    const quote = 'Der Ausfall im Depot dauerte 48 Minuten.';
    expect(verdictOn('Die Katze schläft auf dem Sofa.', { quote })?.verdict).toBe('refused');
    expect(verdictOn('Das Depot war für kurze Zeit ohne Strom und Wasser.', { quote })?.verdict).toBe('open');
  });
});

describe('open to the judgement of a model', () => {
  test.each([
    'It took 48 minutes.',
    'An outage hit the depot for 48 minutes.',
    'Yes.',
    'THE OUTAGE LASTED 48 MINUTES.',
    'Ravelin depots had an outage of 48 minutes, and rents bear a limited fee.',
  ])('other words: %s', (text) => {
    expect(verdictOn(text)?.verdict).toBe('open');
  });

  test('words of the heading and of the passage around the quote', () => {
    const passage = `${outage} A storm had cut the power line.`;
    const said = 'A storm that cut the power line caused the outage.';
    expect(verdictOn(said, { quote: outage, passage })?.verdict).toBe('open');
    expect(verdictOn(said)?.verdict).toBe('refused');
    expect(verdictOn('Incident review: an outage.', { context: 'Incident review' })?.verdict).toBe('open');
  });

  test('capitals that abbreviate words of the source, or a currency', () => {
    const quote = 'Patients with human papilloma virus paid the clinic 30 €.';
    expect(verdictOn('HPV patients paid the clinic 30 EUR.', { quote })?.verdict).toBe('open');
  });

  test.each(['Der Ausfall dauerte 48 Minuten.', '停電は48分続いた。', 'Awaria trwała 48 minut.'])(
    'an answer in another language than its source: %s',
    (text) => {
      expect(verdictOn(text)?.verdict).toBe('open');
    },
  );
});
