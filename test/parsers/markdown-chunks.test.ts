import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { markdownChunks } from '../../adapters/parsers/markdown/chunks.ts';
import { markdownTree } from '../../adapters/parsers/markdown/tree.ts';
import { limits } from './support/limits.ts';
import { parse, textsOf } from './support/parse.ts';

const pieces = [
  '# Heading\n',
  'A paragraph with [a link][ref] and a note[^n].\n',
  'Setext\n---\n',
  '- item\n\n  more of it\n- item\n',
  '```\ncode\n\n# no heading\n\nno paragraph\n```\n',
  '~~~md\n```\n\nnot the end\n~~~\n',
  '<!-- hidden\n\n# MAGNOLIA\n\nMAGNOLIA -->\n',
  '<script>\n\nMAGNOLIA\n\n</script>\n',
  '<div hidden>\n\nMAGNOLIA\n\n</div>\n',
  '<pre>\n\nkept as code\n\n</pre>\n',
  '> quote\n\n    indented code\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '[ref]: https://example.invalid "t"\n',
  '[^n]: The note.\n',
  '1. one\n\n   ```\n   code in a list\n\n   still\n   ```\n',
];

const source = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((list) => list.join('\n'));

interface Node {
  type: string;
  value?: unknown;
  children?: Node[];
}

/** The tree without positions. */
const shape = ({ type, value, children }: Node): unknown => ({ type, value, children: children?.map(shape) });

describe('long Markdown', () => {
  test('cut into the smallest chunks it is the same document', () => {
    fc.assert(
      fc.property(source, (text) => {
        expect(shape(markdownTree(text, 1))).toEqual(shape(markdownTree(text, Number.POSITIVE_INFINITY)));
      }),
    );
  });

  test('chunks are the source, in order and whole', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 80 }), (text, length) => {
        expect(
          markdownChunks(text, length)
            .map((chunk) => chunk.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('a megabyte takes seconds, not minutes, and hides what is hidden over a cut', async () => {
    const section = `## Section\n\n${'The keys of the lock are kept at the east quay. '.repeat(8)}\n\n- one\n- two\n\n`;
    const text = `${section.repeat(1_000)}<div hidden>\n\n${section.replace('keys', 'MAGNOLIA').repeat(300)}</div>\n\n${section.repeat(1_000)}`;
    const started = Date.now();
    const texts = textsOf(await parse(text, 'a.md'));
    expect(Date.now() - started).toBeLessThan(limits.timeoutMs);
    expect(texts).toHaveLength(8_000);
    expect(texts.some((each) => each.includes('MAGNOLIA'))).toBe(false);
  });
});
