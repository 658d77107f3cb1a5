import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { fuse, type RankedHit } from '../domain/rules/fusion.ts';
import { withoutNearDuplicates } from '../domain/rules/near-duplicates.ts';
import { evidenceGone } from './read-evidence.ts';
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

/** How often a search is done again because a document was replaced between finding its passages and reading them. */
const searches = 3;

/** Both legs under the asker's permissions, fused, near-duplicates collapsed, the first `k` as references. */
export function createRetrieve({ index, embedding }: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(async (input: RetrieveInput, signal): Promise<RetrieveOutput> => {
    const vector = await embedding.embedQuery(input.query, signal);
    for (let attempt = 1; ; attempt++) {
      const ranked = await search(index, input, vector);
      const ids = ranked.map(({ passageId }) => passageId);
      const passages = await index.passages(input.access, ids);
      if (passages.length < ids.length) {
        if (attempt < searches) continue;
        throw evidenceGone(ids.length - passages.length, ids.length);
      }
      const scores = new Map(ranked.map(({ passageId, score }) => [passageId, score]));
      const distinct = withoutNearDuplicates(passages, ({ text }) => text, input.retrieval.nearDuplicate);
      const evidence = distinct
        .slice(0, input.retrieval.k)
        .map((passage) => reference(passage, scores.get(passage.id) ?? 0));
      const corpusEmpty = evidence.length === 0 && (await index.counts(input.access)).documents === 0;
      return { evidence, corpusEmpty };
    }
  });
}

/** Twice as many as wanted, since near-duplicates will fall together. */
async function search(index: IndexPort, input: RetrieveInput, vector: Float32Array): Promise<RankedHit[]> {
  const { access, query, identifiers, retrieval, asOf } = input;
  const hits = await index.search(access, {
    text: query,
    identifiers,
    vector,
    candidates: retrieval.candidates,
    statuses: retrieval.statuses,
    asOf,
  });
  return fuse(hits, retrieval.fusion).slice(0, retrieval.k * 2);
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
