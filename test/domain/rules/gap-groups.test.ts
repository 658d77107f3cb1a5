import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GapRun, PublishedReview } from '../../../domain/contracts/gaps.ts';
import { inOrder, outlineOf, questionKey, type Closers } from '../../../domain/rules/gap-groups.ts';

const day = (n: number) => new Date(Date.UTC(2026, 10, n)).toISOString();

function run(id: string, own: Partial<GapRun> = {}): GapRun {
  const reason = 'no_evidence';
  return {
    id,
    question: 'What is the fee?',
    status: 'abstained',
    reason,
    askedAt: day(1),
    groups: [],
    review: null,
    ...own,
  };
}

const nothing: Closers = { published: [], answered: [] };
const published = (own: Partial<PublishedReview>): Closers => ({
  published: [{ questionId: 'a', at: day(5), groups: [], ...own }],
  answered: [],
});

describe('a group of questions that were not answered', () => {
  test('is told with its counts, reasons and newest questions', () => {
    const runs = [
      run('a', { askedAt: day(1) }),
      run('b', { askedAt: day(3), question: 'what is THE fee', review: { state: 'open', decided: null } }),
      run('c', { askedAt: day(2), question: 'Which fee?', status: 'partially_answered', reason: 'missing_aspects' }),
    ];
    expect(outlineOf('What is the fee?', runs, nothing)).toMatchObject({
      question: 'what is THE fee',
      count: 3,
      abstained: 2,
      partlyAnswered: 1,
      reviewed: 1,
      reasons: [
        { code: 'no_evidence', count: 2 },
        { code: 'missing_aspects', count: 1 },
      ],
      lastAsked: day(3),
      runs: [{ id: 'b' }, { id: 'c' }, { id: 'a' }],
      closed: false,
    });
  });

  test('is closed by a reviewed document of one of its questions, published after the last was asked', () => {
    const runs = [run('a'), run('b', { askedAt: day(4), question: 'Which fee?' })];
    expect(outlineOf('x', runs, published({})).closed).toBe(true);
    expect(outlineOf('x', runs, published({ at: day(3) })).closed).toBe(false);
    expect(outlineOf('x', runs, published({ questionId: 'of another group' })).closed).toBe(false);
  });

  test('is not closed while one of its questions waits for a reviewer', () => {
    const waiting = run('b', { question: 'Which fee?', status: 'awaiting_review' });
    expect(outlineOf('x', [run('a'), waiting], published({})).closed).toBe(false);
    expect(outlineOf('x', [run('a'), { ...waiting, status: 'running' }], published({})).closed).toBe(true);
  });

  test('is not closed by a document that one of its askers may not read', () => {
    const runs = [run('a', { groups: ['finance'] }), run('b', { groups: ['staff'] })];
    expect(outlineOf('x', runs, published({ groups: ['finance'] })).closed).toBe(false);
    expect(outlineOf('x', runs, published({ groups: ['finance', 'staff'] })).closed).toBe(true);
  });

  test('is closed by a later answer to the same words, for somebody who may read no more', () => {
    const answered = (askedAt: string, groups: string[]) => ({
      published: [],
      answered: [{ id: 'z', question: 'what is the fee', askedAt, groups }],
    });
    const runs = [run('a', { groups: ['staff'] })];
    expect(outlineOf('x', runs, answered(day(2), ['staff'])).closed).toBe(true);
    expect(outlineOf('x', runs, answered(day(2), [])).closed).toBe(true);
    expect(outlineOf('x', runs, answered(day(2), ['staff', 'finance'])).closed).toBe(false);
    expect(outlineOf('x', runs, answered(day(1), ['staff'])).closed).toBe(false);
  });
});

test('open groups come before closed ones, then by how often and how lately they were asked', () => {
  const times = fc.record({
    count: fc.integer({ min: 1, max: 3 }),
    day: fc.integer({ min: 1, max: 9 }),
    closed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(times, { maxLength: 8 }), (groups) => {
      const outlines = groups.map(({ count, day: last, closed }) => ({
        ...outlineOf(
          'x',
          Array.from({ length: count }, (_, n) => run(`a${n}`, { askedAt: day(last) })),
          nothing,
        ),
        closed,
      }));
      const rank = ({ closed, count, lastAsked }: (typeof outlines)[number]) =>
        `${Number(!closed)} ${count} ${lastAsked}`;
      const ranks = inOrder(outlines).map(rank);
      expect(ranks).toEqual(ranks.toSorted().toReversed());
    }),
  );
});

test('texts that differ in case, width, spaces or punctuation only are the same question', () => {
  expect(questionKey('  What is\nthe FEE ?')).toBe(questionKey('what is the fee'));
  expect(questionKey('Ｆee 12 %')).toBe(questionKey('fee 12'));
  expect(questionKey('E-0417/b')).not.toBe(questionKey('E-0471/b'));
});
