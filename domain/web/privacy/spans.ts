import { words } from '../../text/words.ts';
import type { Finding } from './finding.ts';
import { tokensOf } from './tokens.ts';

/** So many words in a row are no coincidence. */
const spanWords = 5;

/** Stretches of at least five words that stand in a private text in the same order, whatever their case and punctuation. */
export function privateSpans(text: string, privateTexts: readonly string[]): Finding[] {
  const known = new Set(privateTexts.flatMap((privateText) => shingles(words(privateText))));
  const tokens = tokensOf(text).flatMap(({ text: token, start, end }) =>
    words(token).map((word) => ({ word, start, end })),
  );
  const found = shingles(tokens.map(({ word }) => word)).map((shingle) => known.has(shingle));
  return found.flatMap((isKnown, index) => {
    const first = tokens[index];
    const last = tokens[index + spanWords - 1];
    return isKnown && first && last ? [{ kind: 'private_span' as const, start: first.start, end: last.end }] : [];
  });
}

function shingles(list: string[]): string[] {
  return list
    .slice(0, Math.max(0, list.length - spanWords + 1))
    .map((_, index) => list.slice(index, index + spanWords).join(' '));
}
