import { detectLanguage } from '../text/language.ts';
import { foldText } from '../text/normalise.ts';
import type { Span } from '../text/sentences.ts';
import { hasUnspacedScript, isStopWord, stem, words } from '../text/words.ts';
import { hasKin, hasRelative } from './content.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/**
 * Share of what a sentence says (distinct words of meaning and values) that its passages must hold even where a model takes it for a paraphrase.
 * English only: in other languages stems do not bring inflected words together. Of SciFact's supported claims beside their gold sentences this
 * rule alone refuses 4 %; of claims beside sentences of other abstracts it refuses 87 %.
 */
const requiredShare = 0.4;

/** A part of a sentence with fewer words of meaning than this is too short to be called unrelated on its own. */
const leastOfPart = 2;

/**
 * Whoever judges, each sentence has to share a word of meaning with the sentences quoted from or their headings, and more with the passages around
 * them. A part that "and", "but" or "because" adds has to share one too, and a word in capitals has to stand there. An answer in another language
 * than its sources shares few words with them; there the other rules have to do.
 */
export function checkCommonGround(statement: Reading, premise: Premise): Finding | null {
  const quoted = `${premise.quoted.text}\n${premise.context.text}`;
  if (!mayShareWords(statement.text, quoted)) return null;
  const near = new Set(words(quoted).map(stem));
  const given = words(`${quoted}\n${premise.passage.text}`);
  const known = new Set(given.map(stem));
  const least = detectLanguage(statement.text) === 'en' ? requiredShare : 0;
  for (const sentence of statement.sentences) {
    const { told, values } = groundOf(statement, sentence);
    if (told.length === 0) continue;
    const held = told.filter((one) => isCovered(one, known)).length;
    const isElsewhere = values === 0 && !told.some((one) => isCovered(one, near));
    if (isElsewhere || (held + values) / (told.length + values) < least)
      return fails(`${shown(textOf(statement, sentence))} has too little in common with its source`);
  }
  for (const part of addedParts(statement)) {
    const { told, values } = groundOf(statement, part);
    if (told.length >= leastOfPart && values === 0 && !told.some((one) => isCovered(one, known)))
      return fails(`${shown(textOf(statement, part))} has nothing in common with its source`);
  }
  const foreign = foreignCapitals(statement, given);
  return foreign === undefined ? null : fails(`${shown(foreign)} is not in the source`);
}

function isCovered(one: string, known: ReadonlySet<string>): boolean {
  return known.has(one) || hasRelative(one, known) || hasKin(one, known);
}

/** "Yes" is an answer, and no word of any source. */
const affirming = new Set(['yes', 'true', 'correct', 'indeed'].map(stem));

/** Distinct words of meaning of a part, and how many figures, dates and codes it has: other rules have found those in the source. */
function groundOf(statement: Reading, part: Span): { told: string[]; values: number } {
  const isWithin = ({ start, end }: Span): boolean => start >= part.start && end <= part.end;
  const told = new Set(statement.clauses.filter(isWithin).flatMap(({ stems }) => [...stems]));
  const said = textOf(statement, part);
  const codes = statement.identifiers.filter((code) => said.includes(code));
  const values = valuesOf(statement).filter(isWithin).length + codes.length;
  return { told: [...told.difference(affirming)], values };
}

/** A number in square brackets is a citation that a model writes into its text. */
function valuesOf({ text, figures, moments }: Reading): Span[] {
  const values = [...figures.map(({ quantity }) => quantity), ...moments.map(({ date }) => date)];
  return values.filter(({ start, end }) => text.charAt(start - 1) !== '[' || text.charAt(end) !== ']');
}

function addedParts(statement: Reading): Span[] {
  return statement.clauses.filter((clause) => /^(?:;|(?:and|but|because)\b)/i.test(textOf(statement, clause)));
}

function textOf({ text }: Reading, { start, end }: Span): string {
  return text.slice(start, end);
}

const capitals = /(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu;

/** A word in capitals that no word given begins with, nor abbreviates words given that follow each other. */
function foreignCapitals(statement: Reading, given: readonly string[]): string | undefined {
  const values = valuesOf(statement);
  const found = [...statement.text.matchAll(capitals)]
    .filter(({ index }) => !values.some(({ start, end }) => start <= index && index < end))
    .map(([word]) => word)
    .filter((word) => !isStopWord(foldText(word)));
  if (found.length === 0) return undefined;
  const initials = (some: readonly string[]): string => some.map((word) => word.charAt(0)).join('');
  const runs = [initials(given), initials(given.filter((word) => !isStopWord(word)))];
  const known = new Set(given.map(stem));
  return found.find((word) => {
    const folded = foldText(word);
    if (given.some((one) => one.startsWith(folded)) || isCovered(stem(folded), known)) return false;
    return !runs.some((run) => run.includes(folded));
  });
}

/** An English sentence of as many words has a function word. */
const telling = 5;

/** Whether statement and source are in one language, as far as can be told. What is too short to tell counts as in the source's. */
function mayShareWords(said: string, source: string): boolean {
  if (hasUnspacedScript(said) !== hasUnspacedScript(source)) return false;
  const [mine, theirs] = [detectLanguage(said), detectLanguage(source)];
  if (mine !== 'und') return mine === theirs || theirs === 'und';
  const all = words(said);
  return all.length < telling || all.some(isStopWord);
}
