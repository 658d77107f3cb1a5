import { describe, expect, test } from '@jest/globals';
import { linesOf, parse } from './support/parse.ts';

describe('plain text', () => {
  test('paragraphs by empty lines, hard-wrapped lines joined', async () => {
    const document = await parse('First line\nof one paragraph.\n \nSecond\tone.\n', 'a.txt');
    expect(linesOf(document)).toEqual([
      ['paragraph', 'First line of one paragraph.'],
      ['paragraph', 'Second one.'],
    ]);
  });

  test('list items, with their continuation lines and without their bullets', async () => {
    const document = await parse(
      'You need:\n- a helmet\n  that fits\n* gloves\n• boots\n\n1. Open.\n2. Close.\n',
      'a.txt',
    );
    expect(linesOf(document)).toEqual([
      ['paragraph', 'You need:'],
      ['item', 'a helmet that fits'],
      ['item', 'gloves'],
      ['item', 'boots'],
      ['item', '1. Open.'],
      ['item', '2. Close.'],
    ]);
  });

  test('lists of codes, one item each', async () => {
    const document = await parse(
      'E-0417/b  motor shutter jammed\nE-0418    fuse blown,\n          replace it\nPN-0455-A: contactor',
      'a.txt',
    );
    expect(linesOf(document)).toEqual([
      ['item', 'E-0417/b motor shutter jammed'],
      ['item', 'E-0418 fuse blown, replace it'],
      ['item', 'PN-0455-A: contactor'],
    ]);
  });

  test('headings by underline, capitals, number, or standing alone over a long paragraph', async () => {
    const long =
      'This paragraph is long enough to be the text of a section, which is why the short line above it is taken as the heading of that section.';
    const document = await parse(
      `Handbook\n========\n\nScope\n-----\nText.\n\nWASTE AND BATTERIES\n\n2.1 Storage of waste\n\nText.\n\nWhat happened\n\n${long}`,
      'a.txt',
    );
    expect(linesOf(document)).toEqual([
      ['heading', 'Handbook'],
      ['heading', 'Scope'],
      ['paragraph', 'Text.'],
      ['heading', 'WASTE AND BATTERIES'],
      ['heading', '2.1 Storage of waste'],
      ['paragraph', 'Text.'],
      ['heading', 'What happened'],
      ['paragraph', long],
    ]);
    expect(document.title).toBe('Handbook');
  });

  test.each(['Dear Sir,', 'It was closed.', 'USA', 'E-0417', 'see below:', 'DO NOT OPEN!'])(
    'not a heading: %j',
    async (line) => {
      const document = await parse(`Before.\n\n${line}\n\n${'A long paragraph follows here. '.repeat(6)}`, 'a.txt');
      expect(linesOf(document)[1]).toEqual(['paragraph', line]);
    },
  );

  test('a sentence that wraps before a dash or a number is no list', async () => {
    const document = await parse('The pump stopped\nand then the valve was closed by hand.\n3 bar were left.', 'a.txt');
    expect(linesOf(document)).toEqual([
      ['paragraph', 'The pump stopped and then the valve was closed by hand. 3 bar were left.'],
    ]);
  });

  test('ligatures are spelt out, invisible characters go', async () => {
    const document = await parse('The ﬁnal oﬃce ﬂoor plan is certi\u00adﬁed\u200b.', 'a.txt');
    expect(document.text).toBe('The final office floor plan is certified.');
  });
});
