import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import type { ReadReview, ReviewView } from '../client/review-view.ts';
import type { Access } from '../domain/contracts/access.ts';

/** Where the texts are that a run names by id. `kept`: of pages of the web and of reviewers; without it these stay without a text. */
export interface TextReaders {
  index: Pick<IndexPort, 'passages'>;
  kept: Pick<EvidenceStore, 'get'> | undefined;
}

/** A review with the passages and quotes that its reviewer may read. @throws IndexError, EvidenceError */
export async function withTexts(review: ReviewView, access: Access, { index, kept }: TextReaders): Promise<ReadReview> {
  const ids = (inCorpus: boolean) =>
    review.evidence.filter(({ origin }) => (origin === 'corpus') === inCorpus).map(({ id }) => id);
  const found = await Promise.all([
    unlessNone(ids(true), (wanted) => index.passages(access, wanted)),
    unlessNone(ids(false), (wanted) => kept?.get(access.tenant, wanted)),
  ]);
  const passages = new Map(found.flat().map((passage) => [passage.id, passage]));
  return {
    ...review,
    evidence: review.evidence.map((evidence) => {
      const passage = passages.get(evidence.id);
      const readable = evidence.origin === 'corpus' || kept !== undefined;
      const quotes = evidence.quotes.map((span) => ({ ...span, text: quoteOf(passage, span) }));
      return { ...evidence, quotes, text: passage?.text ?? null, gone: readable && passage === undefined };
    }),
  };
}

async function unlessNone(
  ids: string[],
  read: (ids: string[]) => Promise<StoredPassage[]> | undefined,
): Promise<StoredPassage[]> {
  return ids.length === 0 ? [] : ((await read(ids)) ?? []);
}

function quoteOf(passage: StoredPassage | undefined, { start, end }: { start: number; end: number }): string | null {
  if (passage === undefined || start < passage.start || end > passage.end) return null;
  return passage.text.slice(start - passage.start, end - passage.start);
}
