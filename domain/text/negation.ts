import { isStopWord, stem, words } from './words.ts';

/** One negation of a sentence: the words that negate, and the stem of what they negate ('' if nothing else is said). */
export interface Negation {
  start: number;
  end: number;
  target: string;
}

/** Look like negations and negate nothing. */
const pseudo =
  /(?<!\p{L})(?:not\s+(?:only|just|merely|simply|to\s+mention)|no\s+doubt|without\s+(?:a\s+)?doubt|no\s+matter|whether\s+or\s+not|if\s+not\s+all|last\s+but\s+not\s+least|nos?\.?\s?(?=\d)|no\.(?=\s?\p{Lu})|why\s+not|none\s+the\s+less|nonetheless|nevertheless|no\s+wonder)/giu;
/** Negate by themselves what may be done. */
const prohibition =
  /(?<!\p{L})(?:prohibit(?:s|ed|ing)?|forbid(?:s|den|ding)?|bann(?:ed|ing)|bans?|disallow(?:s|ed)?|off[\s-]limits)(?!\p{L})/giu;
const cue =
  /(?<!\p{L})(?:not|cannot|can['’]?t|\p{L}+n['’]t|never|no|none|nobody|nothing|nowhere|neither|nor|without|lacks?|lacked|lacking|fail(?:s|ed)?\s+to|unable|hardly|scarcely|barely|rarely|seldom|rather\s+than|instead\s+of|absence\s+of|free\s+of|n['’]t)(?!\p{L})|(?<!\p{L})non(?:[\s-](?=\p{L}))/giu;

/**
 * The negations of an English sentence. `masked` spans are left out: "must not exceed 12 %" is a bound, not a negation.
 * Languages other than English have other words, so nothing is found in them.
 */
export function negations(sentence: string, masked: readonly { start: number; end: number }[] = []): Negation[] {
  let text = sentence;
  for (const { start, end } of masked) text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
  text = text.replace(pseudo, (match) => ' '.repeat(match.length));
  const found: Negation[] = [];
  for (const match of text.matchAll(prohibition)) {
    found.push({ start: match.index, end: match.index + match[0].length, target: 'allow' });
  }
  for (const match of text.matchAll(cue)) {
    const end = match.index + match[0].length;
    found.push({ start: match.index, end, target: targetOf(text, match.index, end) });
  }
  return found.sort((a, b) => a.start - b.start);
}

const clauseEnd = /[.;:!?()|]|,\s|(?<!\p{L})(?:but|however|while|whereas|although|unless|except)(?!\p{L})/iu;

/** The first word of meaning after the negation in its clause, else the last one before it. */
function targetOf(text: string, start: number, end: number): string {
  const after = text.slice(end, end + 200).split(clauseEnd, 1)[0] ?? '';
  const next = words(after).find((word) => !isStopWord(word));
  if (next !== undefined) return stem(next);
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split(clauseEnd)
      .at(-1) ?? '';
  const last = words(before).findLast((word) => !isStopWord(word));
  return last === undefined ? '' : stem(last);
}

const prefix = /^(?:un|in|im|il|ir|non|dis|mis)(\p{L}{4,})$/u;

/** "unavailable" → the stem of "available": what a word would be without its negating prefix, or null. Whether it negates depends on the other text. */
export function withoutNegatingPrefix(word: string): string | null {
  const rest = prefix.exec(word)?.[1];
  return rest === undefined ? null : stem(rest);
}

/** How often a sentence says "not only" and the like. */
export function countPseudoNegations(sentence: string): number {
  return sentence.match(pseudo)?.length ?? 0;
}
