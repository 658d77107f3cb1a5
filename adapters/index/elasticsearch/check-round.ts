import type { Access } from '../../../domain/contracts/access.ts';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import type { Hit, SearchHits, SearchQuery } from '../port.ts';
import { maySearch } from './filters.ts';
import { versionKey } from './keys.ts';
import { currentEntries } from './known-entries.ts';
import type { Entry } from './entry.ts';
import type { Exclusions, LegHit, LegHits } from './search-legs.ts';
import type { Store } from './store.ts';

/** What earlier rounds of a search have learnt from the registry. */
export interface Known extends Exclusions {
  /** Document key to the key of the version that was live before this round began. */
  live: Map<string, string>;
}

export const nothingKnown: Known = { versions: new Map(), documents: new Set(), live: new Map() };

interface Round {
  access: Access;
  query: SearchQuery;
  /** How many hits each leg was asked for. */
  size: number;
  legs: LegHits;
  known: Known;
}

interface Live {
  key: string;
  metadata: DocumentMetadata;
  publishedAt: number;
}

/** A version published longer ago was whole in the index when the legs ran, whatever they took and however clocks differ. */
const freshMs = 5_000;

/**
 * Compares the hits with the registry as it is after the legs. A version's passages are all searchable before the registry calls it live, so
 * that a round stands unless
 * - a hit belongs to a version before or after the live one: the live one may have come in between, in part;
 * - a hit's version has only just become live, and was not yet known to be so before the legs ran;
 * - a version left out of this round has become live;
 * - a leg has lost so many hits that it is short.
 * @returns the hits if the round stands; else what the next one must leave out
 */
export async function checkRound(
  store: Store,
  { access, query, size, legs, known }: Round,
): Promise<{ hits: SearchHits | null; learnt: Known }> {
  const found = [...legs.bm25, ...legs.knn];
  const documents = [...new Set([...found.map((hit) => hit.documentKey), ...known.versions.values()])];
  const entries = await currentEntries(store, documents);
  const live = new Map(documents.map((key, n) => [key, liveOf(entries[n] ?? null)]));

  const revived = [...known.versions].filter(([version, document]) => live.get(document)?.key === version);
  const versions = new Map(known.versions);
  for (const [version] of revived) versions.delete(version);
  const hidden = new Set(known.documents);
  let stands = revived.length === 0;
  for (const hit of found) {
    const now = live.get(hit.documentKey) ?? null;
    if (now?.key !== hit.versionKey) versions.set(hit.versionKey, hit.documentKey);
    else if (!maySearch(access, query, now.metadata)) hidden.add(hit.documentKey);
    if (now && (now.key !== hit.versionKey || isFresh(now, known.live.get(hit.documentKey)))) stands = false;
  }

  const isKept = (hit: LegHit) => !versions.has(hit.versionKey) && !hidden.has(hit.documentKey);
  const kept = { bm25: legs.bm25.filter(isKept), knn: legs.knn.filter(isKept) };
  const isShort = (leg: 'bm25' | 'knn') => legs[leg].length === size && kept[leg].length < query.candidates;
  if (stands && !isShort('bm25') && !isShort('knn')) {
    const first = (hits: LegHit[]) => hits.slice(0, query.candidates).map(toHit);
    return { hits: { bm25: first(kept.bm25), knn: first(kept.knn) }, learnt: known };
  }
  const certain = new Map(known.live);
  for (const [document, now] of live) if (now) certain.set(document, now.key);
  return { hits: null, learnt: { versions, documents: hidden, live: certain } };
}

function isFresh({ key, publishedAt }: Live, knownKey: string | undefined): boolean {
  return key !== knownKey && Date.now() - publishedAt < freshMs;
}

function liveOf(entry: Entry | null): Live | null {
  if (!entry?.live) return null;
  const { version, metadata } = entry.live;
  return { key: versionKey({ ...entry, version }), metadata, publishedAt: entry.publishedAt };
}

function toHit({ passageId, documentId, score }: LegHit): Hit {
  return { passageId, documentId, score };
}
