import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import type { ReadEvidence, ReviewView } from '../client/review-view.ts';
import type { ShownDraft, ShownReview, ShownStatement } from '../client/shown-review.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { ReviewedEvidence } from '../domain/contracts/run.ts';

/** Where the texts are that a run names by id. `kept`: of pages of the web and of reviewers; without it these stay without a text. */
export interface TextReaders {
  index: Pick<IndexPort, 'passages'>;
  kept: Pick<EvidenceStore, 'get'> | undefined;
}

/**
 * A review with the texts that its reviewer may read now. Of evidence that is gone, closed to this reviewer, or not to be read here, nothing is told in
 * words: no snippet, quote or value, and no statement of the draft that rests on it.
 * @throws IndexError, EvidenceError
 */
export async function withTexts(review: ReviewView, access: Access, readers: TextReaders): Promise<ShownReview> {
  const { evidence, draft, conflicts } = review;
  const passages = await readPassages(sourcesOf(review), access, readers);
  const open = new Set(passages.keys());
  const closed = (id: string) => !open.has(id);
  const hidden = conflicts.flatMap(({ spans, values }) =>
    values.filter((_, side) => closed(spans[side as 0 | 1].evidenceId)),
  );
  return {
    ...review,
    limitation: unlessTelling(review.limitation, hidden),
    message: unlessTelling(review.message, hidden),
    conflicts: conflicts.map(({ values: [one, other], ...conflict }) => {
      const [{ evidenceId: first }, { evidenceId: second }] = conflict.spans;
      return { ...conflict, values: [closed(first) ? '' : one, closed(second) ? '' : other] };
    }),
    draft: draft === null ? null : shownDraft(draft, open),
    evidence: evidence.map((one) => shownEvidence(one, { passage: passages.get(one.id), readers })),
  };
}

/** A text that tells none of these values; else what stands for it. */
function unlessTelling(text: string | null, values: string[]): string | null {
  if (text === null || !values.some((value) => text.includes(value))) return text;
  return 'Sources disagree. What they say is left out here: not all of them are open to you, or still there.';
}

type Source = Pick<ReviewView['evidence'][number], 'id' | 'origin'>;

/** What a review's texts are from. */
function sourcesOf({ evidence, draft }: ReviewView): Source[] {
  const cited = draft?.citations.map(({ evidenceId: id, origin }) => ({ id, origin })) ?? [];
  return [...evidence, ...cited];
}

async function readPassages(
  sources: Source[],
  access: Access,
  { index, kept }: TextReaders,
): Promise<Map<string, StoredPassage>> {
  const ids = (inCorpus: boolean) => [
    ...new Set(sources.filter(({ origin }) => (origin === 'corpus') === inCorpus).map(({ id }) => id)),
  ];
  const found = await Promise.all([
    unlessNone(ids(true), (wanted) => index.passages(access, wanted)),
    unlessNone(ids(false), (wanted) => kept?.get(access.tenant, wanted)),
  ]);
  return new Map(found.flat().map((passage) => [passage.id, passage]));
}

function shownEvidence(
  evidence: ReviewedEvidence,
  { passage, readers }: { passage: StoredPassage | undefined; readers: TextReaders },
): ReadEvidence {
  if (passage === undefined) {
    const readable = evidence.origin === 'corpus' || readers.kept !== undefined;
    return { ...evidence, snippet: '', quotes: [], text: null, gone: readable };
  }
  const quotes = evidence.quotes.map((span) => ({ ...span, text: quoteOf(passage, span) }));
  return { ...evidence, quotes, text: passage.text, gone: false };
}

/** The answer is made of all statements, so that it goes with any of them. */
function shownDraft(
  { answer, statements, citations }: NonNullable<ReviewView['draft']>,
  open: ReadonlySet<string>,
): ShownDraft {
  const closed = new Set(citations.filter(({ evidenceId }) => !open.has(evidenceId)).map(({ n }) => n));
  const shown = statements.map((statement): ShownStatement => {
    const withheld = statement.citations.some((n) => closed.has(n));
    return { ...statement, text: withheld ? null : statement.text, withheld };
  });
  return {
    answer: closed.size > 0 ? null : answer,
    withheld: closed.size > 0,
    statements: shown,
    citations: citations.map((citation) => (closed.has(citation.n) ? { ...citation, quote: '' } : citation)),
  };
}

async function unlessNone(
  ids: string[],
  read: (ids: string[]) => Promise<StoredPassage[]> | undefined,
): Promise<StoredPassage[]> {
  return ids.length === 0 ? [] : ((await read(ids)) ?? []);
}

function quoteOf(passage: StoredPassage, { start, end }: { start: number; end: number }): string | null {
  if (start < passage.start || end > passage.end) return null;
  return passage.text.slice(start - passage.start, end - passage.start);
}
