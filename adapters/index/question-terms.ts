import { foldText } from '../../domain/text/normalise.ts';
import { isStopWord, words } from '../../domain/text/words.ts';

/** One thing looked for in the full text: a word, a code (E-0417/b) or a pair of characters of a script without spaces; folded. */
export interface Term {
  kind: 'word' | 'code' | 'gram';
  text: string;
  /** From an identifier that the caller named: kept before all others. */
  named: boolean;
}

/**
 * Words of a question that are searched; a longer question keeps its rarest. 64 are more than any question has that a person
 * writes (8,000 characters hold about 700 different words), and each costs a pass over the passages that hold it.
 */
export const maxTerms = 64;

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const spacedCharacter = `(?:(?![${unspaced}])[\\p{L}\\p{N}])`;
const codeRun = new RegExp(`${spacedCharacter}+(?:[-/_.]${spacedCharacter}+)*`, 'gu');
const hyphens = /[\u2010-\u2015\u2212]/g;
const gramRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]{2,}/gu;

/**
 * Runs of letters and digits, joined by - / _ or ., that hold a digit: E-0417/b as one term, which is neither E-0417/a nor 0417.
 * Case and width are folded.
 */
export function codesIn(text: string): string[] {
  const folded = foldText(text).replace(hyphens, '-');
  return [...folded.matchAll(codeRun)].map(([code]) => code).filter((code) => /\p{N}/u.test(code));
}

/**
 * Overlapping pairs of characters of Chinese, Japanese and Korean runs: a match does not depend on the segmenter cutting question and
 * passage alike.
 */
export function bigramsIn(text: string): string[] {
  return [...foldText(text).matchAll(gramRun)].flatMap(([run]) => {
    const characters = [...run];
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/**
 * What a question is searched by, each once: named codes first, then other codes, words and pairs of characters. Stop words, lone Latin
 * letters and lone kana go if another word remains. Empty when there is no word at all (emoji, punctuation).
 */
export function questionTerms(text: string, identifiers: string[]): Term[] {
  const spoken = [text, ...identifiers].flatMap(words);
  const telling = spoken.filter((word) => !isStopWord(word) && !/^[a-z\u3040-\u309f]$/.test(word));
  const terms = [
    ...identifiers.flatMap(codesIn).map((code): Term => ({ kind: 'code', text: code, named: true })),
    ...codesIn(text).map((code): Term => ({ kind: 'code', text: code, named: false })),
    ...(telling.length > 0 ? telling : spoken).map((word): Term => ({ kind: 'word', text: word, named: false })),
    ...bigramsIn(text).map((gram): Term => ({ kind: 'gram', text: gram, named: false })),
  ];
  const seen = new Set<string>();
  return terms.filter(({ kind, text: value }) => {
    const key = `${kind} ${value}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * The `maxTerms` terms that tell most: named ones, then the rarest of those that occur at all.
 * @param passages how many passages hold a term
 */
export function rarestTerms(terms: Term[], passages: (term: Term) => number): Term[] {
  const named = terms.filter((term) => term.named).slice(0, maxTerms);
  const others = terms
    .filter((term) => !term.named)
    .map((term) => ({ term, frequency: passages(term) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);
  return [...named, ...others.map(({ term }) => term)].slice(0, maxTerms);
}
