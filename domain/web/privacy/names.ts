import { hasUnspacedScript, isStopWord } from '../../text/words.ts';
import type { Finding } from './finding.ts';
import { spellingsOf } from './spellings.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Between a first and a last name: "Tilda J. Marsh". */
const wordsBetween = 1;

/**
 * Names that the corpus marks private: whole, in either order ("Marsh, Tilda"), with one word or initial between; and each part alone unless it is
 * a function word ("Will"). Case, accents and ü/ue do not matter.
 */
export function privateNames(text: string, names: readonly string[]): Finding[] {
  const spaced = names
    .filter((name) => !hasUnspacedScript(name))
    .map((name) => tokensOf(name).map(({ text: part }) => part));
  const tokens = tokensOf(text).map((token) => ({ ...token, keys: spellingsOf(token.text) }));
  const parts = new Set(spaced.flat().filter(standsAlone).flatMap(spellingsOf));
  const alone = tokens.filter(({ keys }) => keys.some((key) => parts.has(key)));
  const whole = spaced
    .filter((name) => name.length > 0)
    .flatMap((name) => [...sequences(tokens, name), ...sequences(tokens, name.toReversed())]);
  return [...alone, ...whole, ...unspacedNames(text, names)].map(({ start, end }) => ({
    kind: 'private_name',
    start,
    end,
  }));
}

interface KeyedToken extends Token {
  keys: string[];
}

function sequences(tokens: KeyedToken[], name: readonly string[]): { start: number; end: number }[] {
  const wanted = name.map(spellingsOf);
  return tokens.flatMap((first, index) => {
    let at = index;
    for (const keys of wanted) {
      const limit = at === index ? at : at + wordsBetween;
      while (at <= limit && !(tokens[at]?.keys.some((key) => keys.includes(key)) ?? false)) at += 1;
      if (at > limit) return [];
      at += 1;
    }
    return [{ start: first.start, end: tokens[at - 1]?.end ?? first.end }];
  });
}

function unspacedNames(text: string, names: readonly string[]): { start: number; end: number }[] {
  return names.filter(hasUnspacedScript).flatMap((name) => {
    const compact = name.replace(/[\s・·]/g, '');
    const pattern = [...compact].map((sign) => sign.replace(/[^\p{L}\p{N}]/u, '\\$&')).join('[\\s・·]?');
    return [...text.matchAll(new RegExp(pattern, 'gu'))].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }));
  });
}

/** Initials and function words name nobody by themselves. */
function standsAlone(part: string): boolean {
  return [...part].length >= 2 && !isStopWord(part.toLowerCase());
}
