import { isStopWord, stem, words } from '../../text/words.ts';
import type { Finding } from './finding.ts';
import { tokensOf } from './tokens.ts';

/** From this length on, a word is known where it is joined with others: "plumbagodeal". */
const known = 6;

/**
 * Words that a query has from a private text and not from what was asked, whatever their endings: a rewriter takes them from the titles of what was
 * found. Words that make no content are nobody's.
 */
export function borrowedWords(
  text: string,
  { asked, privateTexts }: { asked: string; privateTexts: readonly string[] },
): Finding[] {
  if (privateTexts.length === 0) return [];
  const own = new Set(words(asked).map(stem));
  const contents = privateTexts.flatMap(words).filter((word) => !isStopWord(word));
  const theirs = new Set(contents.map(stem).filter((word) => !own.has(word)));
  const long = [...theirs].filter((word) => word.length >= known);
  const isTheirs = (word: string): boolean => {
    const stemmed = stem(word);
    return theirs.has(stemmed) || (!own.has(stemmed) && long.some((part) => word.includes(part)));
  };
  return tokensOf(text)
    .filter((token) => words(token.text).some(isTheirs))
    .map(({ start, end }) => ({ kind: 'private_span' as const, start, end }));
}
