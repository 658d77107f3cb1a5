import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { withoutNearDuplicates } from '../domain/rules/near-duplicates.ts';
import { otherPagesLast } from '../domain/rules/pages.ts';
import type { PageSpan } from '../domain/text/page-mentions.ts';
import { rankPassages, type Ranking } from './rank-passages.ts';
import { evidenceGone } from './read-evidence.ts';
import { reference } from './reference.ts';
import { step } from './step.ts';

export interface RetrieveInput {
  access: Access;
  query: string;
  identifiers: string[];
  /** Pages that the question names. */
  pages?: PageSpan[];
  retrieval: Policy['retrieval'];
  /** ISO day for which documents must be in effect. */
  asOf: string;
}

export interface RetrieveOutput {
  evidence: EvidenceRef[];
  /** Set when nothing was found: whether the asker's corpus holds any document at all. */
  corpusEmpty: boolean;
}

/** How often a search is done again because a document was replaced between finding its passages and reading them. */
const searches = 3;

/** Both legs under the asker's permissions, fused, near-duplicates collapsed, the first `k` as references. */
export function createRetrieve({ index, embedding }: { index: IndexPort; embedding: EmbeddingModel }) {
  return step(async (input: RetrieveInput, { signal }): Promise<RetrieveOutput> => {
    const vector = await embedding.embedQuery(input.query, signal);
    for (let attempt = 1; ; attempt++) {
      const { ranked, gone } = await search(index, input, vector);
      // Twice as many as wanted, since near-duplicates will fall together; all, where those of the named pages are to be found among them.
      const { pages = [] } = input;
      const first = pages.length > 0 ? ranked : ranked.slice(0, input.retrieval.k * 2);
      const passages = await index.passages(
        input.access,
        first.map(({ passageId }) => passageId),
      );
      const missing = gone + first.length - passages.length;
      if (missing > 0) {
        if (attempt < searches) continue;
        throw evidenceGone(missing, gone + first.length);
      }
      const scores = new Map(first.map(({ passageId, score }) => [passageId, score]));
      const distinct = withoutNearDuplicates(
        otherPagesLast(passages, pages),
        ({ text }) => text,
        input.retrieval.nearDuplicate,
      );
      const evidence = distinct
        .slice(0, input.retrieval.k)
        .map((passage) => reference(passage, scores.get(passage.id) ?? 0));
      const corpusEmpty = evidence.length === 0 && (await index.counts(input.access)).documents === 0;
      return { evidence, corpusEmpty };
    }
  });
}

function search(index: IndexPort, input: RetrieveInput, vector: Float32Array): Promise<Ranking> {
  const { access, query: text, identifiers, retrieval, asOf } = input;
  const { candidates, statuses, fusion } = retrieval;
  const query = { text, identifiers, vector, candidates, statuses, asOf };
  return rankPassages(index, access, { query, fusion });
}
