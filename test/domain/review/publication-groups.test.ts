import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { publicationGroups, type GroupsInput } from '../../../domain/review/publication-groups.ts';

const input = (own: Partial<GroupsInput>): GroupsInput => ({
  wanted: null,
  allowWider: false,
  asker: [],
  cited: [],
  ...own,
});
const group = fc.constantFrom('staff', 'board', 'finance', 'hr');
const groups = fc.uniqueArray(group, { maxLength: 4 });
const anyInput = fc.record({
  wanted: fc.option(groups),
  allowWider: fc.boolean(),
  asker: groups,
  cited: fc.array(fc.option(groups), { maxLength: 3 }),
});
/** As the index has it. */
const mayRead = (reader: string[], document: readonly string[]) =>
  document.length === 0 || document.some((one) => reader.includes(one));

describe('who may read a reviewed document', () => {
  test('nobody who may not read all the evidence, unless that was allowed', () => {
    fc.assert(
      fc.property(anyInput, groups, (given, reader) => {
        const decided = publicationGroups(given);
        if ('refused' in decided || decided.wider || !mayRead(reader, decided.groups)) return;
        for (const cited of given.cited) expect(mayRead(reader, cited ?? ['of nobody'])).toBe(true);
      }),
    );
  });

  test('wider is only what was named and allowed', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const decided = publicationGroups(given);
        if ('refused' in decided || !decided.wider) return;
        expect(given).toMatchObject({ allowWider: true, wanted: decided.groups });
      }),
    );
  });

  test('allowing wider groups never widens groups that need it not', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const strict = publicationGroups({ ...given, allowWider: false });
        if (!('refused' in strict)) expect(publicationGroups({ ...given, allowWider: true })).toEqual(strict);
      }),
    );
  });
});

describe('without named groups', () => {
  test('everybody, or the only group of the asker, where nothing restricted is cited', () => {
    expect(publicationGroups(input({ cited: [[]] }))).toEqual({ groups: [], wider: false });
    expect(publicationGroups(input({ asker: ['staff'], cited: [[]] }))).toEqual({ groups: ['staff'], wider: false });
  });

  test('an asker with several groups must be decided by a person', () => {
    expect(publicationGroups(input({ asker: ['staff', 'hr'] }))).toMatchObject({
      refused: 'Publication.GroupsNeeded',
      message: expect.stringContaining('staff, hr'),
    });
  });

  test('the groups that all restricted evidence has in common, as far as they are the asker’s', () => {
    const cited = [['hr', 'board'], [], ['board', 'hr', 'finance']];
    expect(publicationGroups(input({ asker: ['staff', 'hr'], cited }))).toEqual({ groups: ['hr'], wider: false });
    expect(publicationGroups(input({ asker: ['staff'], cited }))).toEqual({ groups: ['hr', 'board'], wider: false });
  });

  test('none where no group may read it all, or a document cited is gone', () => {
    expect(publicationGroups(input({ asker: ['hr', 'finance'], cited: [['hr'], ['finance']] }))).toMatchObject({
      refused: 'Publication.GroupsTooWide',
    });
    expect(publicationGroups(input({ asker: ['hr'], cited: [null] }))).toMatchObject({
      refused: 'Publication.GroupsTooWide',
    });
  });
});

describe('named groups', () => {
  test('within those of the evidence are taken', () => {
    expect(publicationGroups(input({ wanted: ['hr'], cited: [['hr', 'board']] }))).toEqual({
      groups: ['hr'],
      wider: false,
    });
  });

  test.each([[['hr', 'staff']], [[]]])(
    '%j, wider than the evidence, are refused, and taken when that is allowed',
    (wanted) => {
      const given = input({ wanted, cited: [['hr', 'board']] });
      expect(publicationGroups(given)).toMatchObject({
        refused: 'Publication.GroupsTooWide',
        message: expect.stringContaining('hr, board'),
      });
      expect(publicationGroups({ ...given, allowWider: true })).toEqual({ groups: wanted, wider: true });
    },
  );
});
