import { detectLanguage } from '../text/language.ts';
import { foldText } from '../text/normalise.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:[-'’&.]\p{L}[\p{L}\p{N}]*)*/gu;

/**
 * Names (capitalised words beside the first of a sentence, and runs of them) must stand in the sentences quoted from or their headings, or,
 * noted, in the rest of the passage. German writes all its nouns with capitals; there the rule of content is enough.
 */
export function checkNames(statement: Reading, premise: Premise): Finding | null {
  if (detectLanguage(statement.text) === 'de') return null;
  const near = wordSet(`${premise.quoted.text}\n${premise.context.text}`);
  let note: Finding | null = null;
  for (const name of namesIn(statement)) {
    if (isKnown(name, near)) continue;
    if (!isKnown(name, wordSet(premise.passage.text))) return fails(`the name ${shown(name)} is not in the source`);
    note ??= { verdict: 'holds', note: `the name ${shown(name)} stands in the passage, outside of the quote` };
  }
  return note;
}

function namesIn(statement: Reading): string[] {
  const names: string[] = [];
  const values = [...statement.moments.map(({ date }) => date), ...statement.figures.map(({ quantity }) => quantity)];
  for (const sentence of statement.sentences) {
    const text = statement.text.slice(sentence.start, sentence.end);
    const found = [...text.matchAll(capitalised)].filter(({ index }) => {
      const at = sentence.start + index;
      return !values.some(({ start, end }) => start <= at && at < end);
    });
    // In a headline or a table row capitals mark no names.
    if (found.length > 3 && found.length > 0.8 * (text.match(/\p{L}+/gu)?.length ?? 0)) continue;
    for (const [i, match] of found.entries()) {
      const isFirst =
        !/[\p{L}\p{N}]/u.test(text.slice(0, match.index)) || /[:|“"]\s*$/.test(text.slice(0, match.index));
      const next = found[i + 1];
      const startsRun =
        next !== undefined &&
        /^\p{Lu}\p{Ll}+$/u.test(next[0]) &&
        /^\s$/.test(text.slice(match.index + match[0].length, next.index));
      if ((!isFirst || startsRun) && !isStopWord(foldText(match[0])) && match[0].length > 1) names.push(match[0]);
    }
  }
  return names;
}

function wordSet(text: string): Set<string> {
  return new Set(words(text).map(stem));
}

/** Of "HIV-positive" only HIV is a name. */
function isKnown(name: string, known: ReadonlySet<string>): boolean {
  const capitals = name.split('-').filter((part) => /^\p{Lu}/u.test(part));
  return words(capitals.join(' ')).every((word) => isStopWord(word) || known.has(stem(word)));
}
