import { isStopWord, words } from '../../text/words.ts';
import type { Finding } from './finding.ts';
import { tokensOf } from './tokens.ts';

/**
 * Words that a query has from a private text and not from what was asked: a rewriter takes them from the titles of what was found. Words that make no
 * content are nobody's.
 */
export function borrowedWords(
  text: string,
  { asked, privateTexts }: { asked: string; privateTexts: readonly string[] },
): Finding[] {
  const own = new Set(words(asked));
  const theirs = new Set(privateTexts.flatMap(words).filter((word) => !own.has(word) && !isStopWord(word)));
  return tokensOf(text)
    .filter((token) => words(token.text).some((word) => theirs.has(word)))
    .map(({ start, end }) => ({ kind: 'private_span' as const, start, end }));
}
