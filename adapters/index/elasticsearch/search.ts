import type { Access } from '../../../domain/contracts/access.ts';
import { IndexError } from '../port.ts';
import type { SearchHits, SearchQuery } from '../port.ts';
import { checkVector } from '../unit-vector.ts';
import { checkRound, nothingKnown } from './check-round.ts';
import { runLegs } from './search-legs.ts';
import { searchTerms } from './search-terms.ts';
import type { Store } from './store.ts';

/** The same as the embedded index gives. */
const maxCandidates = 4096;
/** Fetched beyond the candidates, so that a few hits may be dropped without another round. */
const spare = 16;
/** Every further round means that a document among the hits was published or changed just now. */
const maxRounds = 8;

/**
 * Both legs, and then the registry: hits of a version that is not live, or of a document that the asker may not search any more, are
 * dropped. Where that could show a document in part, or leave a leg short, both legs run again without them (`checkRound`).
 * @throws IndexError `unavailable` when documents among the hits keep changing
 */
export async function search(store: Store, access: Access, query: SearchQuery): Promise<SearchHits> {
  if (!(query.candidates >= 1 && query.candidates <= maxCandidates)) {
    throw new IndexError('rejected', `a leg gives 1 to ${maxCandidates} candidates, not ${query.candidates}`, {
      retryable: false,
    });
  }
  if (query.vector !== null) checkVector(query.vector, store.dimensions);
  const terms = await searchTerms(store, access.tenant, query);
  const size = query.candidates + spare;
  let known = nothingKnown;
  for (let round = 1; round <= maxRounds; round += 1) {
    const legs = await runLegs(store, access, { query, size, terms, excluded: known });
    const { hits, learnt } = await checkRound(store, { access, query, size, legs, known });
    if (hits) return hits;
    known = learnt;
  }
  throw new IndexError('unavailable', 'Elasticsearch: documents among the hits keep changing', { retryable: true });
}
