import type { IndexPort } from '../adapters/index/port.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { EvidenceStore, TenantRules } from '../adapters/store/port.ts';
import type { PageFetcher, WebResultCache, WebSearch } from '../adapters/web/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { WebPolicy } from '../domain/contracts/web-policy.ts';
import { combinedWebRules } from '../domain/web/combine-rules.ts';
import { outgoingQuery } from '../domain/web/outgoing-query.ts';
import { step, type StepContext } from './step.ts';
import { corpusTexts } from './web/corpus-texts.ts';
import { keepPages } from './web/keep-pages.ts';
import { nearestFirst } from './web/nearest-first.ts';
import { readPages } from './web/read-pages.ts';
import { searchOnce } from './web/search-once.ts';

export interface SearchWebInput {
  access: Access;
  /** As the asker meant it, alone. */
  question: string;
  /** As the asker wrote it, whole; default: the same. What is private in it leaves in no part of a query. */
  asked?: string;
  /** What is to be asked; what of it may leave is decided here, each time anew. */
  query: string;
  identifiers: string[];
  /** Passages of the corpus that this run has found: nothing of the wording of restricted ones may leave. */
  corpusPassages: string[];
  web: WebPolicy;
  /** Similarity from which two passages count as one. */
  nearDuplicate: number;
  /** Passages that come back at most. */
  k: number;
  /** A person has allowed it: where the rules ask for one, that is done. */
  permitted: boolean;
}

export interface SearchWebOutput {
  evidence: EvidenceRef[];
  /** Addresses whose page holds no text until its scripts have run. */
  unread: string[];
  /** The query as it left the house; null when none did. */
  sent: string | null;
  /** Why none did, or what was lost on the way; null when all went well. */
  note: string | null;
  /** Whether nothing was sent since a person must allow it first. */
  asks: boolean;
}

export interface SearchWebDependencies {
  index: Pick<IndexPort, 'passages'>;
  embedding: EmbeddingModel;
  webSearch: WebSearch;
  webCache: WebResultCache;
  pages: PageFetcher;
  evidence: EvidenceStore;
  tenantRules: TenantRules;
}

/**
 * Searches the web with what may leave, reads what was found, keeps it in the evidence store, and returns the passages nearest to the question. An
 * outage is thrown, never "nothing found"; a page that cannot be read is left out and counted in the note.
 */
export function createSearchWeb(deps: SearchWebDependencies) {
  return step(async (input: SearchWebInput, context): Promise<SearchWebOutput> => {
    const { access, web, question } = input;
    const rules = combinedWebRules(web, await deps.tenantRules.web(access.tenant));
    if (rules.mode === 'never') return notSent(context, 'not allowed');
    if (rules.mode === 'ask' && !input.permitted) return { ...notSent(context, 'a person must allow it'), asks: true };

    const corpus = await corpusTexts(deps.index, access, input.corpusPassages);
    const { query, removed } = outgoingQuery(input.query, {
      identifiers: input.identifiers,
      patterns: rules.patterns,
      privateNames: rules.names,
      privateSpans: corpus.restricted,
      asked: input.asked ?? question,
    });
    const kinds = [...new Set(removed.map(({ kind }) => kind))].join(', ');
    if (query === null) return notSent(context, `nothing that may leave is left (taken out: ${kinds})`);

    const { tenant } = access;
    const { maxResults, cacheMinutes } = web;
    const { results, keptSince, passedOver } = await searchOnce(
      deps,
      { tenant, query, rules, maxResults, cacheMinutes },
      context,
    );
    const { signal, calls } = context;
    const { pages, notes: reading, unread } = await readPages(deps.pages, results, { web, rules, signal });
    const { nearDuplicate, k } = input;
    const { authority, keepHours } = web;
    const keeping = { tenant, question, authority, keepHours, nearDuplicate, corpusTexts: corpus.texts, most: k };
    const kept = await keepPages(deps, pages, { input: { ...keeping, origin: 'web' }, signal });
    const notes = [
      ...(kinds === '' ? [] : [`taken out of the query: ${kinds}`]),
      ...(keptSince === null ? [] : [`results kept since ${keptSince} for: ${query}`]),
      ...passedOver,
      ...reading,
    ];
    const vector = await deps.embedding.embedQuery(question, signal);
    const note = notes.join('; ') || null;
    return { evidence: nearestFirst(kept, vector, 'web'), unread, sent: calls.sent, note, asks: false };
  });
}

/** An earlier attempt may have sent what is forbidden by now. */
function notSent({ calls }: StepContext, why: string): SearchWebOutput {
  return { evidence: [], unread: [], sent: calls.sent, note: `no web search: ${why}`, asks: false };
}
