import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ParseError, type DocumentParser } from '../../adapters/parsers/port.ts';
import { words } from '../../domain/text/words.ts';
import { similarity } from './text-similarity.ts';

export interface FormatSimilarity {
  format: string;
  documents: number;
  /** Mean over the documents, 0–1; a document that gave no text counts as 0. */
  mean: number;
  worst: { name: string; similarity: number };
}

const formats = ['docx', 'html', 'md', 'pdf', 'pptx', 'xlsx', 'csv'];

/**
 * Words of each document compared with those of the Markdown that is expected of it, in folders `FORMAT/sources` and `FORMAT/groundtruth`;
 * the Markdown is read by our own parser, so that markup does not count.
 */
export async function parsedSimilarity(parser: DocumentParser, folder: string): Promise<FormatSimilarity[]> {
  const results: FormatSimilarity[] = [];
  for (const format of formats) {
    const scores: { name: string; similarity: number }[] = [];
    for (const name of (await readdir(join(folder, format, 'sources'))).sort()) {
      const expected = expectedMarkdown(join(folder, format, 'groundtruth'), name);
      if (expected === null) continue;
      const [ours, theirs] = [
        await wordsOf(parser, join(folder, format, 'sources', name), name),
        await wordsOf(parser, expected, 'expected.md'),
      ];
      scores.push({ name, similarity: similarity(ours, theirs) });
    }
    const worst = scores.reduce((least, next) => (next.similarity < least.similarity ? next : least));
    const mean = scores.reduce((sum, score) => sum + score.similarity, 0) / scores.length;
    results.push({ format, documents: scores.length, mean, worst });
  }
  return results;
}

function expectedMarkdown(folder: string, name: string): string | null {
  const candidates = [`${name}.md`, `${name.slice(0, -extname(name).length)}.md`].map((file) => join(folder, file));
  return candidates.find((path) => existsSync(path)) ?? null;
}

async function wordsOf(parser: DocumentParser, path: string, name: string): Promise<string[]> {
  try {
    return words((await parser.parse({ path, name })).text);
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}
