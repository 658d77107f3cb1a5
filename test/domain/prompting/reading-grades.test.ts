import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readGrades } from '../../../domain/prompting/grade-answer.ts';

const limits = { method: 'model' as const, minCharacters: 40, relevant: 0.7, irrelevant: 0.3 };
const aspect = (id: string) => ({ id, text: id, terms: [id], subject: null });
const two = [aspect('a1'), aspect('a2')];
const entry = (id: string, score: unknown, extra: object = {}) => ({
  id,
  score,
  finding: 'partial',
  aspects: [],
  ...extra,
});
const read = (entries: unknown[], ids = ['x', 'y'], aspects = two) =>
  readGrades(entries, { evidenceIds: ids, aspects, judge: 'openai/m' }, limits);

describe("a model's grades", () => {
  test('are mapped back to their passages by label, in the order asked', () => {
    const grades = read([
      entry('p2', 0.1, { finding: 'none' }),
      entry('p1', 0.92, { finding: 'full', aspects: ['a2', 'a2', 'a8'] }),
    ]);
    expect(grades).toEqual([
      { evidenceId: 'x', score: 0.92, label: 'relevant', aspects: ['a2'], reason: 'openai/m: states the answer' },
      { evidenceId: 'y', score: 0.1, label: 'irrelevant', aspects: [], reason: 'openai/m: is about something else' },
    ]);
  });

  test.each([
    ['over 1', [entry('p1', 1.7)], 'the score is out of range'],
    ['below 0', [entry('p1', -0.1)], 'the score is out of range'],
    ['a word', [entry('p1', 'yes')], 'the grade is not of the schema'],
    ['null', [entry('p1', null)], 'the grade is not of the schema'],
    ['another finding', [entry('p1', 0.9, { finding: 'MAGNOLIA' })], 'the grade is not of the schema'],
    ['none', [], 'no grade was given'],
    ['of an unknown passage', [entry('p3', 0.9), entry('1', 0.9), entry('x', 0.9)], 'no grade was given'],
    ['two', [entry('p1', 0.9), entry('p1', 0.9)], 'more than one grade was given'],
    ['two, one of them broken', [entry('p1', 0.9), entry('p1', 'yes')], 'more than one grade was given'],
    ['at odds with itself', [entry('p1', 1, { finding: 'none' })], 'the score and the finding contradict each other'],
  ])('%s: that passage is uncertain, the other keeps its grade', (_, entries, fault) => {
    const [bad, good] = read([...entries, entry('p2', 0.5)]);
    expect(bad).toEqual({
      evidenceId: 'x',
      score: null,
      label: 'uncertain',
      aspects: [],
      reason: `openai/m: ${fault}`,
    });
    expect(good).toMatchObject({ evidenceId: 'y', score: 0.5, label: 'partial' });
  });

  test('whatever a model says, every passage has one grade, and a score is its own or none', () => {
    const anyEntry = fc.oneof(
      fc.anything(),
      fc.record({
        id: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'q'),
        score: fc.oneof(fc.double(), fc.double({ min: 0, max: 1, noNaN: true }), fc.string()),
        finding: fc.constantFrom('full', 'partial', 'topic', 'none', ''),
        aspects: fc.array(fc.constantFrom('a1', 'a2', 'a9', 'constructor')),
      }),
    );
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), (entries) => {
        const ids = ['w', 'x', 'y'];
        const grades = read(entries, ids);
        expect(grades.map(({ evidenceId }) => evidenceId)).toEqual(ids);
        grades.forEach(({ score, label, aspects, reason }, i) => {
          expect(label === 'uncertain').toBe(score === null);
          expect(aspects.every((id) => ['a1', 'a2'].includes(id))).toBe(true);
          expect(reason.length).toBeLessThanOrEqual(300);
          if (score === null) return;
          const own = entries.filter((given) => (given as { id?: unknown } | null)?.id === `p${i + 1}`);
          expect(own).toHaveLength(1);
          expect(Math.abs((own[0] as { score: number }).score - score)).toBeLessThanOrEqual(0.0005);
        });
      }),
    );
  });

  test('a relevant passage serves the only aspect there is; others serve none', () => {
    const one = [aspect('a1')];
    expect(read([entry('p1', 0.8), entry('p2', 0.5, { aspects: ['a1'] })], ['x', 'y'], one)).toMatchObject([
      { label: 'relevant', aspects: ['a1'] },
      { label: 'partial', aspects: [] },
    ]);
  });
});
