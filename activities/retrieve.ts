import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { fuse } from '../domain/rules/fusion.ts';
import { withoutNearDuplicates } from '../domain/rules/near-duplicates.ts';
import { step } from './step.ts';

export interface RetrieveInput {
  access: Access;
  query: string;
  identifiers: string[];
  retrieval: Policy['retrieval'];
  /** ISO day for which documents must be in effect. */
  asOf: string;
}

export interface RetrieveOutput {
  evidence: EvidenceRef[];
  /** Set when nothing was found: whether the asker's corpus holds any document at all. */
  corpusEmpty: boolean;
}

const snippetCharacters = 200;

/** Both legs under the asker's permissions, fused, near-duplicates collapsed, the first `k` as references. */
export function createRetrieve(deps: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(async (input: RetrieveInput, signal): Promise<RetrieveOutput> => {
    const { index, embedding } = deps;
    const vector = await embedding.embedQuery(input.query, signal);
    const hits = await index.search(input.access, {
      text: input.query,
      identifiers: input.identifiers,
      vector,
      candidates: input.retrieval.candidates,
      statuses: input.retrieval.statuses,
      asOf: input.asOf,
    });
    const ranked = fuse(hits, input.retrieval.fusion).slice(0, input.retrieval.k * 2);
    const scores = new Map(ranked.map(({ passageId, score }) => [passageId, score]));
    const passages = await index.passages(input.access, [...scores.keys()]);
    const distinct = withoutNearDuplicates(passages, ({ text }) => text, input.retrieval.nearDuplicate);
    const evidence = distinct.slice(0, input.retrieval.k).map((passage) => reference(passage, scores.get(passage.id) ?? 0));
    const corpusEmpty = evidence.length === 0 && (await index.counts(input.access)).documents === 0;
    return { evidence, corpusEmpty };
  });
}

function reference(passage: StoredPassage, score: number): EvidenceRef {
  return {
    id: passage.id,
    origin: 'corpus',
    documentId: passage.documentId,
    title: passage.title,
    uri: passage.uri,
    section: passage.section,
    page: passage.page,
    start: passage.start,
    end: passage.end,
    score: Math.round(score * 1e6) / 1e6,
    snippet: snippet(passage.text),
  };
}

/** The beginning of a text on one line, at most 200 UTF-16 units, never half of a character. */
function snippet(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= snippetCharacters) return line;
  const cut = line.slice(0, snippetCharacters - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut}…`;
}
