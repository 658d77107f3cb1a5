import type { Overlap } from '../contracts/comparison.ts';

/** Splits two lists by key into what both have and the rest of each; of several with one key the first counts. */
export function overlap<T, B>(
  [first, second]: readonly [readonly T[], readonly T[]],
  keyOf: (one: T) => string,
  join: (first: T, second: T) => B,
): Overlap<T, B> {
  const [a, b] = [byKey(first, keyOf), byKey(second, keyOf)];
  return {
    both: [...a].flatMap(([key, one]) => {
      const other = b.get(key);
      return other === undefined ? [] : [join(one, other)];
    }),
    onlyFirst: [...a].flatMap(([key, one]) => (b.has(key) ? [] : [one])),
    onlySecond: [...b].flatMap(([key, one]) => (a.has(key) ? [] : [one])),
  };
}

function byKey<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const one of list) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  return found;
}
