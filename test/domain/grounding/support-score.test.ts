import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { supportScore } from '../../../domain/grounding/support-score.ts';

const source = 'The Kestrel router weighs 2 kg and was released on 3 April 2024. It is not waterproof.';

describe('the support score', () => {
  test('is 1 for what the text says, and less for each thing that it does not', () => {
    const full = supportScore('The Kestrel router weighs 2000 g.', source);
    const wrongFigure = supportScore('The Kestrel router weighs 3 kg.', source);
    const wrongFigureAndWord = supportScore('The Kestrel antenna weighs 3 kg.', source);
    expect(full).toBe(1);
    expect(wrongFigure).toBe(0.75);
    expect(wrongFigureAndWord).toBe(0.5);
  });
  test('is halved by a contradiction', () => {
    expect(supportScore('The Kestrel router is waterproof.', 'The Kestrel router is not waterproof.')).toBe(0.5);
    expect(supportScore('Prices increased.', 'Prices decreased.')).toBeLessThanOrEqual(0.25);
  });
  test('is 0 for another subject and for nothing said', () => {
    expect(supportScore('Parking costs nothing', 'Bring your own cutlery.')).toBe(0);
    expect(supportScore('…', source)).toBe(0);
  });
  test('counts what the headings say', () => {
    expect(supportScore('The Kestrel weighs 2 kg.', 'It weighs 2 kg.', 'Kestrel')).toBe(1);
    expect(supportScore('The Kestrel weighs 2 kg.', 'It weighs 2 kg.')).toBeLessThan(1);
  });
  test('stays within 0 and 1', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (statement, text) => {
        const score = supportScore(statement, text);
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});
