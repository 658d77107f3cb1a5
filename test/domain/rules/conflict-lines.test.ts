import { describe, expect, test } from '@jest/globals';
import type { Conflict } from '../../../domain/contracts/evidence.ts';
import { conflictLines } from '../../../domain/rules/conflict-lines.ts';

/** All pairs of sources that say another value, as they are found: document and value. */
function pairs(claims: [string, string][], { preferred = null as string | null, start = 0 } = {}): Conflict[] {
  return claims.flatMap(([a, x], i) =>
    claims.slice(i + 1).flatMap(([b, y]): Conflict[] =>
      x === y
        ? []
        : [
            {
              spans: [
                { evidenceId: a, start },
                { evidenceId: b, start },
              ],
              documentIds: [a, b],
              values: [x, y],
              preferred: preferred === a || preferred === b ? preferred : null,
            },
          ],
    ),
  );
}

const lines = (conflicts: Conflict[]) => conflictLines(conflicts, (id) => id.toUpperCase());

describe('the lines of sources that disagree', () => {
  test('name the two of a pair, and which has the higher standing', () => {
    const claims: [string, string][] = [
      ['a', '9 days'],
      ['b', '12 days'],
    ];
    expect(lines(pairs(claims))).toEqual(['A says 9 days, B says 12 days; nothing tells which one holds.']);
    expect(lines(pairs(claims, { preferred: 'b' }))).toEqual([
      'A says 9 days, B says 12 days; B has the higher standing.',
    ]);
  });

  test('are one a subject, by value, for however many pages', () => {
    const pages = 'bcdefgh'.split('').map((id, n): [string, string] => [id, n < 4 ? '12 days' : `${n} days`]);
    const conflicts = pairs([['a', '9 days'], ...pages], { preferred: 'a' });
    expect(conflicts.length).toBeGreaterThan(20);
    expect(lines(conflicts)).toEqual([
      'A says 9 days, B, C, D and 1 more say 12 days, F says 4 days, G says 5 days, others say 1 more value(s); A has the higher standing.',
    ]);
  });

  test('keep apart what the same sources say of another thing', () => {
    const fee = pairs([
      ['a', '9 marks'],
      ['b', '12 marks'],
    ]);
    const time = pairs(
      [
        ['a', '2 weeks'],
        ['b', '3 weeks'],
      ],
      { start: 40 },
    );
    expect(lines([...fee, ...time])).toEqual([
      expect.stringMatching(/^A says 9 marks, B says 12 marks;/),
      expect.stringMatching(/^A says 2 weeks, B says 3 weeks;/),
    ]);
  });

  test('join two groups that a third statement connects', () => {
    const [ab, cd, bc] = [
      pairs([
        ['a', '1'],
        ['b', '2'],
      ]),
      pairs([
        ['c', '3'],
        ['d', '4'],
      ]),
      pairs([
        ['b', '2'],
        ['c', '3'],
      ]),
    ];
    expect(lines([...ab, ...cd, ...bc])).toEqual([
      'A says 1, B says 2, C says 3, D says 4; nothing tells which one holds.',
    ]);
  });

  test('are at most five and one that counts the rest', () => {
    const many = Array.from({ length: 8 }, (_, n) =>
      pairs(
        [
          ['a', `${n} kg`],
          ['b', `${n + 100} kg`],
        ],
        { start: n },
      ),
    ).flat();
    const told = lines(many);
    expect(told).toHaveLength(6);
    expect(told.at(-1)).toBe('Sources disagree about 3 more thing(s).');
  });
});
