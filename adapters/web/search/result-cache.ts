import { LRUCache } from 'lru-cache';
import type { KeptResults, WebResultCache } from '../port.ts';

/** Of all results together, in characters: a search may bring whole pages. */
const defaultCharacters = 32_000_000;

/** In the memory of this process; what is used least goes first when it is full. */
export function createWebResultCache({ maxCharacters = defaultCharacters } = {}): WebResultCache {
  const cache = new LRUCache<string, KeptResults>({ maxSize: maxCharacters, sizeCalculation: sizeOf });
  return {
    get: (key) => cache.get(key) ?? null,
    set: (key, kept, minutes) => void cache.set(key, kept, { ttl: minutes * 60_000 }),
  };
}

function sizeOf({ results }: KeptResults): number {
  return results.reduce(
    (sum, { url, title, content, rawContent }) =>
      sum + url.length + title.length + content.length + (rawContent?.length ?? 0),
    1,
  );
}
