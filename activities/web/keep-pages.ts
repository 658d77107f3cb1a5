import type { EmbeddedPassage } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { EvidencePage, EvidenceStore } from '../../adapters/store/port.ts';
import type { WebPage } from '../../adapters/web/port.ts';
import type { Passage } from '../../domain/contracts/document.ts';
import { ingestionOptionsSchema } from '../../domain/contracts/ingestion.ts';
import { withoutNearDuplicates } from '../../domain/rules/near-duplicates.ts';
import { coverage, stemSet, termWeights } from '../../domain/rules/relevance.ts';
import { embedPassages } from '../embed-passages.ts';
import { splitInPortions } from '../ingestion/split-document.ts';
import { keptPassageId, type KeptOrigin } from '../kept-passage-id.ts';

export interface KeepPagesInput {
  tenant: string;
  question: string;
  /** What the run has of the corpus: its copies on the web are no second source. */
  corpusTexts: string[];
  origin: KeptOrigin;
  /** What it weighs in a conflict, 0–100, and how long it is kept, in hours. */
  authority: number;
  keepHours: number;
  nearDuplicate: number;
  /** Passages that are kept at most. */
  most: number;
}

export interface KeptPassage {
  page: WebPage;
  passage: EmbeddedPassage;
}

/** Pages are cut as documents are. */
const split = ingestionOptionsSchema.parse({});

/**
 * Cuts the pages and keeps, in the evidence store, each page with those of its passages that hold most of the question's words: embedding all of a
 * long page would take longer than the step has. Returns the passages.
 */
export async function keepPages(
  { embedding, evidence }: { embedding: EmbeddingModel; evidence: EvidenceStore },
  pages: readonly WebPage[],
  { input, signal }: { input: KeepPagesInput; signal: AbortSignal },
): Promise<KeptPassage[]> {
  const cut = await Promise.all(pages.map((page) => passagesOf(page, input, { embedding, signal })));
  const chosen = chosenOf(cut.flat(), input);
  const embedded = await embedPassages(
    chosen.map(({ passage }) => passage),
    embedding,
    signal,
  );
  const kept = chosen.map(({ page }, n) => ({ page, passage: at(embedded, n) }));
  await Promise.all(
    pages.map((page) =>
      evidence.put(
        storedPage(page, input),
        kept.filter((one) => one.page === page).map(({ passage }) => passage),
      ),
    ),
  );
  return kept;
}

interface Cut {
  page: WebPage;
  passage: Passage;
}

async function passagesOf(
  page: WebPage,
  { tenant, origin }: KeepPagesInput,
  { embedding, signal }: { embedding: EmbeddingModel; signal: AbortSignal },
): Promise<Cut[]> {
  const { contentHash, title, document } = page;
  const identity = { tenant, documentId: contentHash, version: contentHash, title };
  const { passages } = await splitInPortions(document, { identity, split, embedding, signal });
  return passages.map((passage) => ({ page, passage: { ...passage, id: keptPassageId(passage.id, origin) } }));
}

/** Those with most of the question's words, rare ones counting more; each text once, and none that the corpus has. */
function chosenOf(cut: Cut[], { question, corpusTexts, nearDuplicate, most }: KeepPagesInput): Cut[] {
  const stems = cut.map(({ passage }) => stemSet(`${passage.context}\n${passage.text}`));
  const weights = termWeights({ terms: [...stemSet(question)] }, stems);
  const best = cut
    .map((one, n) => ({ ...one, words: coverage(weights, stems[n] ?? new Set()) }))
    .sort((a, b) => b.words - a.words)
    .slice(0, most * 2);
  const known = corpusTexts.map((text) => ({ text, cut: null }));
  const found = best.map(({ page, passage }) => ({ text: passage.text, cut: { page, passage } }));
  return withoutNearDuplicates<{ text: string; cut: Cut | null }>(
    [...known, ...found],
    ({ text }) => text,
    nearDuplicate,
  )
    .flatMap(({ cut: one }) => one ?? [])
    .slice(0, most);
}

function at<T>(list: readonly T[], n: number): T {
  const item = list[n];
  if (item === undefined) throw new RangeError(`there is no item ${n}`);
  return item;
}

function storedPage(
  { contentHash, url, title, fetchedAt, document }: WebPage,
  { tenant, authority, keepHours }: KeepPagesInput,
): EvidencePage {
  const expires = Date.parse(fetchedAt) + keepHours * 3_600_000;
  return {
    tenant,
    id: contentHash,
    url,
    title,
    text: document.text,
    language: document.language,
    publishedAt: null,
    fetchedAt,
    expiresAt: new Date(expires).toISOString(),
    authority,
  };
}
