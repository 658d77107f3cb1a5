import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { givenText } from '../../../domain/review/given-text.ts';

const parts = (raw: string) => {
  const { text, parts: found } = givenText(raw);
  return found.map(({ start, end }) => text.slice(start, end));
};
const words = (raw: string) => {
  const { text, parts: found } = givenText(raw);
  return found.map(({ wordsFrom, end }) => text.slice(wordsFrom, end));
};

describe('the parts of a text that a person gives', () => {
  test('are its sentences and, whole, its list items', () => {
    expect(parts('The fee is 12 %. It is due at once.\n- Boats: 5. No refund.\n• Keys')).toEqual([
      'The fee is 12 %.',
      'It is due at once.',
      '- Boats: 5. No refund.',
      '• Keys',
    ]);
  });

  test('are lines where lines are meant, and sentences where a line was wrapped', () => {
    expect(parts('Fee: 12 %\nDeposit: 200 marks\n\nBoats: none')).toEqual([
      'Fee: 12 %',
      'Deposit: 200 marks',
      'Boats: none',
    ]);
    expect(parts('The fee for keys\nis 12 %.')).toEqual(['The fee for keys is 12 %.']);
    expect(parts('The deposit for a key at the harbour office, as agreed with\nMr Smith, is 200 marks.')).toEqual([
      'The deposit for a key at the harbour office, as agreed with Mr Smith, is 200 marks.',
    ]);
    expect(parts('- The fee for\n  Boats is 12 %')).toEqual(['- The fee for Boats is 12 %']);
    expect(parts('Key | Deposit\nboat | 500')).toEqual(['Key | Deposit', 'boat | 500']);
    expect(parts('料金は\n12です。')).toEqual(['料金は', '12です。']);
  });

  test('say nothing of the signs and numbers of lists', () => {
    expect(words('- Boats\n1. Show a card.\n2. Sign.\na) Keys')).toEqual(['Boats', 'Show a card.', 'Sign.', 'Keys']);
  });

  test('keep a number that counts nothing, or begins a date', () => {
    expect(words('12. Reihe')).toEqual(['12. Reihe']);
    expect(words('12. Mai 2025 ist zu früh.\n13. Mai 2025 ist zu spät.')).toEqual([
      '12. Mai 2025 ist zu früh.',
      '13. Mai 2025 ist zu spät.',
    ]);
  });

  test('are not lines without words, nor white space', () => {
    expect(parts(' \n---\n…\n\u200b\n')).toEqual([]);
  });

  test('are cut to sentences where an item is long', () => {
    const long = 'This sentence is one of many in this item.';
    expect(parts(`- ${Array.from({ length: 9 }, () => long).join(' ')}`)).toEqual([
      `- ${long}`,
      ...Array.from({ length: 8 }, () => long),
    ]);
  });

  test('follow each other within the text, which is well formed', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('1. a', '2. b', '- c', 'd e', 'F. g', '\ud800'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { text, parts: found } = givenText(lines.join('\n'));
        expect(text.isWellFormed()).toBe(true);
        let before = 0;
        for (const { start, wordsFrom, end } of found) {
          expect(before <= start && start <= wordsFrom && wordsFrom < end && end <= text.length).toBe(true);
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
          before = end;
        }
      }),
    );
  });

  test('of a long text are found in time that grows with it', () => {
    const raw = Array.from({ length: 3_000 }, (_, n) => `${n % 200}. x`).join('\n');
    expect(givenText(raw).parts).toHaveLength(3_000);
  });
});
