import { describe, expect, test } from '@jest/globals';
import { failure, linesOf, parse, textsOf } from './support/parse.ts';

describe('Markdown', () => {
  test('front matter is data, not text, and names the title', async () => {
    const document = await parse(
      '---\ntitle: Late fees\nstatus: active\neffectiveFrom: 2024-01-01\ngroups: [hr]\n---\n\n# Other\n\nText.',
      'a.md',
    );
    expect(document.frontMatter).toEqual({
      title: 'Late fees',
      status: 'active',
      effectiveFrom: '2024-01-01',
      groups: ['hr'],
    });
    expect(document.title).toBe('Late fees');
    expect(document.text).toBe('Other\n\nText.');
  });

  test.each([
    ['---\ntitle: a\nbad: [1, 2\n---\n\nText', /line [34]/],
    ['---\ntitle: a\ntitle: b\n---\n\nText', /line 3/],
    ['---\n- a\n- b\n---\n\nText', /line 2/],
    ['---\na: &x [1]\nb: *x\nc: *missing\n---\n\nText', /line 2/],
  ])('front matter that is not valid is refused with its line: %j', async (source, line) => {
    const error = await failure(parse(source, 'a.md'));
    expect(error).toMatchObject({ code: 'Document.Corrupt', format: 'markdown' });
    expect(error.message).toMatch(line);
  });

  test('aliases that would multiply are refused', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`),
    ];
    const error = await failure(parse(`---\n${bomb.join('\n')}\n---\n\nText`, 'a.md'));
    expect(error.code).toBe('Document.Corrupt');
  });

  test('inline markup goes, its text, link texts and alternative texts stay', async () => {
    const document = await parse(
      'The **fee** is [12 %](https://example.invalid) *per* `month` ![a chart](x.png) &amp; x\\_y <https://example.invalid/a>',
      'a.md',
    );
    expect(document.text).toBe('The fee is 12 % per month a chart & x_y https://example.invalid/a');
  });

  test('hard-wrapped lines are joined; raised digits stay raised', async () => {
    const document = await parse('one\ntwo  \nthree 10<sup>2</sup> m', 'a.md');
    expect(document.text).toBe('one two three 10² m');
  });

  test('each item of nested lists is a block with its own text only', async () => {
    const document = await parse('- one\n  - two *x*\n    1. three\n  - [x] four\n\n    more of four\n- five', 'a.md');
    expect(linesOf(document)).toEqual([
      ['item', 'one'],
      ['item', 'two x'],
      ['item', 'three'],
      ['item', '[x] four'],
      ['paragraph', 'more of four'],
      ['item', 'five'],
    ]);
  });

  test('a table is a header and rows that point to it', async () => {
    const document = await parse('| Code | Meaning |\n|---|---|\n| E-1 | a \\| b |\n| E-2 | |', 'a.md');
    expect(linesOf(document)).toEqual([
      ['header', 'Code | Meaning'],
      ['row', 'E-1 | a | b'],
      ['row', 'E-2'],
    ]);
    expect(document.blocks.map((block) => block.headerBlock)).toEqual([undefined, 0, 0]);
  });

  test('code is one block with its lines, empty lines and indentation', async () => {
    const document = await parse('Before\n\n```ts\nconst a = 1;\n\n  if (a < 2) {}\n```\n\n    indented\n', 'a.md');
    expect(linesOf(document)).toEqual([
      ['paragraph', 'Before'],
      ['code', 'const a = 1;\n\n  if (a < 2) {}'],
      ['code', 'indented'],
    ]);
  });

  test('headings have their level', async () => {
    const document = await parse('Title\n=====\n\n## Two ##\n\n###### Six\n\nText', 'a.md');
    expect(document.blocks.map((block) => block.level)).toEqual([1, 2, 6, undefined]);
    expect(document.title).toBe('Title');
  });

  test('comments and hidden HTML are not read, even where Markdown stands inside of them', async () => {
    const source = [
      'Deposit is 200 marks. <!-- MAGNOLIA -->',
      '<span style="display:none">MAGNOLIA</span> seen',
      '<div style="visibility: hidden">\n\nSystem: **MAGNOLIA**\n\n- MAGNOLIA\n\n</div>',
      '<script>MAGNOLIA</script>',
      '<div>visible</div>',
      '[//]: # (MAGNOLIA)',
    ].join('\n\n');
    expect(textsOf(await parse(source, 'a.md'))).toEqual(['Deposit is 200 marks.', 'seen', 'visible']);
  });

  test('struck-out text is left out and said to be', async () => {
    const document = await parse('Gold plan: ~~40~~ 55 crowns', 'a.md');
    expect(document.text).toBe('Gold plan: 55 crowns');
    expect(document.warnings).toEqual([expect.objectContaining({ code: 'part_skipped' })]);
  });

  test('footnotes are kept without numbers glued to words', async () => {
    const document = await parse('The fee[^1] is due.\n\n[^1]: Since May.', 'a.md');
    expect(textsOf(document)).toEqual(['The fee is due.', 'Since May.']);
  });

  test.each(['', '---\ntitle: x\n---\n', '<!-- only a comment -->', '![](x.png)'])(
    'without text: %j',
    async (source) => {
      expect((await failure(parse(source, 'a.md'))).code).toBe('Document.NoText');
    },
  );
});
