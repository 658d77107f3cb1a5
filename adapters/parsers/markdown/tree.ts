import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { markdownChunks } from './chunks.ts';

/** The tree of GitHub-flavoured Markdown with front matter. Long sources are parsed in chunks of at least `chunkLength` characters. */
export function markdownTree(source: string, chunkLength: number): Root {
  const children = markdownChunks(source, chunkLength).flatMap(({ text, definitions }, index) => {
    const options = {
      extensions: [gfm(), ...(index === 0 ? [frontmatter(['yaml' as const])] : [])],
      mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml'])],
    };
    if (definitions === '') return fromMarkdown(text, options).children;
    const separated = `${text}\n\n`;
    const tree = fromMarkdown(separated + definitions, options);
    return tree.children.filter((node) => (node.position?.start.offset ?? 0) < separated.length);
  });
  return { type: 'root', children };
}
