import type { PieceTokenizer } from './tokenizer.ts';

/** The special tokens around and between the two texts of a pair, and the type that the second one's tokens have. */
export type PairTemplate = { before: number[]; between: number[]; after: number[]; secondType: number };

/**
 * Learns from one joined pair how the tokenizer joins texts, so that longer ones can be cut into windows before they are joined.
 * Null when the tokenizer joins in a way that has no such form.
 */
export function pairTemplate(tokenizer: PieceTokenizer): PairTemplate | null {
  const [a, b] = ['a', 'b'];
  const { ids, types } = tokenizer.encodePair(a, b);
  const first = tokenizer.encode(a).ids;
  const second = tokenizer.encode(b).ids;
  const begin = indexOfRun(ids, first, 0);
  const then = begin === -1 ? -1 : indexOfRun(ids, second, begin + first.length);
  if (then === -1) return null;
  return {
    before: ids.slice(0, begin),
    between: ids.slice(begin + first.length, then),
    after: ids.slice(then + second.length),
    secondType: types[then] ?? 0,
  };
}

export function templateLength({ before, between, after }: PairTemplate): number {
  return before.length + between.length + after.length;
}

/** The joined pair, as the tokenizer itself would join it. */
export function joinPair(
  { before, between, after, secondType }: PairTemplate,
  first: number[],
  second: number[],
): { ids: number[]; types: number[] } {
  const left = [...before, ...first, ...between];
  const right = [...second, ...after];
  return { ids: [...left, ...right], types: [...left.map(() => 0), ...right.map(() => secondType)] };
}

function indexOfRun(ids: number[], run: number[], from: number): number {
  for (let at = from; at + run.length <= ids.length; at++) if (run.every((id, i) => ids[at + i] === id)) return at;
  return -1;
}
