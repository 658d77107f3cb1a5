import type { estypes } from '@elastic/elasticsearch';
import { maxTerms, questionTerms, rarestTerms } from '../question-terms.ts';
import type { Term } from '../question-terms.ts';
import { termQuery } from './bm25-query.ts';
import type { Store } from './store.ts';

/** The terms of a question. Of a very long one the rarest in the tenant's passages, so that the query stays far below max_clause_count. */
export async function searchTerms(
  store: Store,
  tenant: string,
  question: { text: string; identifiers: string[] },
): Promise<Term[]> {
  const terms = questionTerms(question.text, question.identifiers);
  if (terms.length <= maxTerms) return terms;
  const counts = await frequencies(store, tenant, terms);
  return rarestTerms(terms, (term) => counts.get(term) ?? 0);
}

/** How many of the tenant's passages hold each term, in one request. */
async function frequencies(store: Store, tenant: string, terms: Term[]): Promise<Map<Term, number>> {
  const filters = terms.map(termQuery);
  const { aggregations } = await store.client.search<unknown, { terms: estypes.AggregationsFiltersAggregate }>({
    index: store.alias.passages,
    routing: tenant,
    size: 0,
    track_total_hits: false,
    allow_partial_search_results: false,
    query: { term: { tenant } },
    aggs: { terms: { filters: { filters } } },
  });
  const buckets = aggregations?.terms.buckets;
  return new Map(terms.map((term, n) => [term, Array.isArray(buckets) ? (buckets[n]?.doc_count ?? 0) : 0]));
}
