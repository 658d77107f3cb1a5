import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Strip } from '../../domain/contracts/document.ts';
import type { SourceFile } from '../../domain/contracts/ingestion.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import { readJsonLines } from './eval-data.ts';

/** Questions of PDFs whose answers cite pages as `[file.pdf#page=3]`. */
export interface CitedPages {
  files: SourceFile[];
  questions: { text: string; pages: Set<string> }[];
}

const citation = /\[([^\]]+\.pdf)#page=(\d+)\]/g;

export async function readCitedPages(folder: string): Promise<CitedPages> {
  const names = (await readdir(join(folder, 'data'))).filter((name) => name.endsWith('.pdf')).sort();
  const rows = await readJsonLines<{ question: string; truth: string }>(join(folder, 'qa.jsonl'));
  return {
    files: names.map((name) => {
      const path = join(folder, 'data', name);
      return { path, name, uri: pathToFileURL(path).href, overrides: { id: name } };
    }),
    questions: rows.map(({ question, truth }) => ({
      text: question,
      pages: new Set([...truth.matchAll(citation)].map(([, file = '', page]) => pageId(file, Number(page)))),
    })),
  };
}

export function pageId(documentId: string, page: number): string {
  return `${documentId}#${page}`;
}

/** The pages on which any strip of a passage stands. */
export function pagesOf(documentId: string, strips: Strip[], { blocks }: ParsedDocument): string[] {
  const pages = strips.flatMap(({ start, end }) =>
    blocks.filter((block) => block.start < end && block.end > start).flatMap(({ page }) => page ?? []),
  );
  return [...new Set(pages)].map((page) => pageId(documentId, page));
}
