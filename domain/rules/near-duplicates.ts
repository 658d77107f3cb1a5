import { words } from '../text/words.ts';

const shingleWords = 4;

/** Keeps the first of every group of texts whose word shingles have a Jaccard similarity of at least `threshold` (Broder, 1997). Order is kept. */
export function withoutNearDuplicates<T>(items: T[], text: (item: T) => string, threshold: number): T[] {
  const kept: { item: T; shingles: Set<string> }[] = [];
  for (const item of items) {
    const shingles = shinglesOf(text(item));
    if (!kept.some((other) => jaccard(other.shingles, shingles) >= threshold)) kept.push({ item, shingles });
  }
  return kept.map(({ item }) => item);
}

function shinglesOf(text: string): Set<string> {
  const all = words(text);
  if (all.length < shingleWords) return new Set([all.join(' ')]);
  const shingles = new Set<string>();
  for (let i = 0; i + shingleWords <= all.length; i++) shingles.add(all.slice(i, i + shingleWords).join(' '));
  return shingles;
}

function jaccard(a: Set<string>, b: Set<string>): number {
  const shared = a.intersection(b).size;
  return shared / (a.size + b.size - shared);
}
