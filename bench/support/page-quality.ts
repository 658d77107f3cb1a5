import type { IngestionDeps } from '../../activities/ingestion/index.ts';
import { rankPassages } from '../../activities/rank-passages.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { SplitOptions } from '../../domain/contracts/ingestion.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import { withoutNearDuplicates } from '../../domain/rules/near-duplicates.ts';
import { pageId, pagesOf, type CitedPages } from './cited-pages.ts';
import { searchQuery } from './retrieval-quality.ts';
import { access, takeInFiles } from './take-in.ts';

export interface PageQuality {
  questions: number;
  passages: number;
  /** Shares of the questions whose cited page is the first found, among the first five found, and among those of the first five passages. */
  first: number;
  five: number;
  fivePassages: number;
  /** Pages with text of which no passage holds anything. */
  lostPages: number;
}

/**
 * Takes the files in, asks all questions and compares the pages found with the cited ones. A page stands where its best passage stands; passages are ranked
 * as the retrieve step ranks them, near-duplicates collapsed.
 */
export async function measurePages(
  deps: IngestionDeps,
  { files, questions }: CitedPages,
  { split, retrieval }: { split: SplitOptions; retrieval: Policy['retrieval'] },
): Promise<PageQuality> {
  const reports = await takeInFiles(deps, files, split);
  const failed = reports.filter(({ state }) => state === 'failed');
  if (failed.length > 0) throw new Error(failed.map(({ name, code }) => `${name}: ${code}`).join('; '));
  const parsed = new Map<string, ParsedDocument>();
  for (const { path, name } of files) parsed.set(name, await deps.parser.parse({ path, name }));

  const counts = { first: 0, five: 0, fivePassages: 0 };
  for (const { text, pages } of questions) {
    const found = await pagesByPassage(deps, { question: text, retrieval, parsed });
    const cited = (candidates: string[]) => candidates.some((page) => pages.has(page));
    const ranked = [...new Set(found.flat())];
    if (cited(found[0] ?? [])) counts.first += 1;
    if (cited(ranked.slice(0, 5))) counts.five += 1;
    if (cited(found.slice(0, 5).flat())) counts.fivePassages += 1;
  }
  return {
    questions: questions.length,
    passages: reports.reduce((sum, { passages }) => sum + passages, 0),
    first: counts.first / questions.length,
    five: counts.five / questions.length,
    fivePassages: counts.fivePassages / questions.length,
    lostPages: await lostPages(deps, parsed),
  };
}

/** The pages of each passage found, best passage first. */
async function pagesByPassage(
  { index, embedding }: IngestionDeps,
  {
    question,
    retrieval,
    parsed,
  }: { question: string; retrieval: Policy['retrieval']; parsed: Map<string, ParsedDocument> },
): Promise<string[][]> {
  const query = await searchQuery(embedding, question, retrieval);
  const { ranked } = await rankPassages(index, access, { query, fusion: retrieval.fusion });
  const passages = await index.passages(
    access,
    ranked.slice(0, retrieval.k * 2).map(({ passageId }) => passageId),
  );
  return withoutNearDuplicates(passages, ({ text }) => text, retrieval.nearDuplicate).map(({ documentId, strips }) =>
    pagesOf(documentId, strips, found(parsed, documentId)),
  );
}

/** All passages are found by asking for all of a document's without words: page by page of its own text. */
async function lostPages({ index, embedding }: IngestionDeps, parsed: Map<string, ParsedDocument>): Promise<number> {
  let lost = 0;
  for (const [documentId, document] of parsed) {
    const held = await heldPages({ index, embedding }, documentId, document);
    const textless = new Set(
      document.warnings.flatMap(({ code, pages }) => (code === 'no_text_on_page' ? (pages ?? []) : [])),
    );
    for (let page = 1; page <= (document.pages ?? 0); page++) {
      if (!textless.has(page) && !held.has(pageId(documentId, page))) lost += 1;
    }
  }
  return lost;
}

/** Pages of a document that passages in the index hold: its nearest 4,000 passages to any vector are all it has. */
async function heldPages(
  { index, embedding }: Pick<IngestionDeps, 'index' | 'embedding'>,
  documentId: string,
  document: ParsedDocument,
): Promise<Set<string>> {
  const vector = await embedding.embedQuery(documentId);
  const all = {
    text: '',
    identifiers: [],
    vector,
    candidates: 4000,
    statuses: ['active' as const],
    asOf: '2026-01-01',
  };
  const { knn } = await index.search(access, { ...all, documentIds: [documentId] });
  const passages = await index.passages(
    access,
    knn.map(({ passageId }) => passageId),
  );
  return new Set(passages.flatMap(({ strips }) => pagesOf(documentId, strips, document)));
}

function found<K, V>(map: Map<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`nothing for ${String(key)}`);
  return value;
}
