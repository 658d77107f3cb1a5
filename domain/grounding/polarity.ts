import { boundAt } from '../text/bounds.ts';
import { dates } from '../text/dates.ts';
import { negations, withoutNegatingPrefix, type Negation } from '../text/negation.ts';
import { quantities } from '../text/quantities.ts';
import { contentStems, isStopWord, stem, words } from '../text/words.ts';
import { align, type Aligned } from './alignment.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** A statement must affirm and deny what its source affirms and denies, and keep the source's exceptions. English only. */
export function checkPolarity(statement: Reading, premise: Premise): Finding | null {
  for (const pair of align(statement, premise.quoted)) {
    const finding = checkPair(pair) ?? checkExceptions(pair);
    if (finding) return finding;
  }
  return null;
}

function checkPair(pair: Aligned): Finding | null {
  const said = unbounded(pair.said);
  const source = unbounded(pair.source);
  if (pair.isNearCopy) {
    const same = said.length === source.length && said.every(({ target }, i) => target === source[i]?.target);
    const isReworded = said.length === source.length && wordsOf(pair.said) !== wordsOf(pair.source);
    if (same || (isReworded && (sameTargets(said, source) || sameScope(pair)))) return prefixConflict(pair);
    return polarityFailure(pair, said, source);
  }
  for (const part of parts(pair.said)) {
    const counterpart = bestPart(part, parts(pair.source));
    if (!counterpart) continue;
    const [saidHere, sourceHere] = [unbounded(part), unbounded(counterpart)];
    if (saidHere.length % 2 !== sourceHere.length % 2) {
      if (!prefixExplains(part, counterpart)) return polarityFailure(pair, saidHere, sourceHere);
    } else if (deniedOnlyThere(part, saidHere, sourceHere)) return polarityFailure(pair, saidHere, sourceHere);
    else if (saidHere.length === 0 && prefixExplains(part, counterpart))
      return prefixConflict({ ...pair, said: part, source: counterpart });
  }
  return null;
}

function polarityFailure(pair: Aligned, said: Negation[], source: Negation[]): Finding {
  const extra = said.find(({ target }) => !source.some((other) => other.target === target));
  const lost = source.find(({ target }) => !said.some((other) => other.target === target));
  if (extra && said.length >= source.length)
    return fails(`${shown(pair.said.slice(extra.start, extra.end))} is not in the source sentence`);
  if (lost && said.length <= source.length)
    return fails(`the negation ${shown(negationIn(pair.source))} of the source is lost`);
  return fails('the statement negates something else than its source');
}

function negationIn(sentence: string): string {
  const first = unbounded(sentence)[0];
  return first ? sentence.slice(first.start, first.end) : 'not';
}

/** Negations that are not part of a bound ("must not exceed 12 %"). */
function unbounded(sentence: string): Negation[] {
  const calendar = dates(sentence);
  const values = [...calendar, ...quantities(sentence, { skip: calendar })];
  const bounds = values.map(({ start, end }) => boundAt(sentence, start, end)).filter(({ bound }) => bound !== 'exact');
  return negations(sentence, bounds);
}

const partBoundary =
  /[;:]|(?<!\p{L})(?:but|while|whereas|although|though|however|unless|except|because|which|who|whose)(?!\p{L})|(?=(?<!\p{L})without(?!\p{L}))/iu;

/** Commas do not part: in "no food, drinks or pets" the negation reaches over them. */
function parts(sentence: string): string[] {
  return sentence.split(partBoundary).filter((part) => part.trim() !== '');
}

function bestPart(part: string, candidates: readonly string[]): string | null {
  const wanted = contentStems(part);
  let best: string | null = null;
  let most = 0;
  for (const candidate of candidates) {
    const there = new Set(contentStems(candidate));
    // What a sentence is about comes first and weighs more.
    const score = wanted.reduce((sum, one, i) => sum + (there.has(one) ? (i === 0 ? 1.5 : 1) : 0), 0);
    if (score > most) [best, most] = [candidate, score];
  }
  return most >= wanted.length / 2 ? best : null;
}

/** The source denies a word that the statement uses without denying it, though both negate as often. */
function deniedOnlyThere(part: string, said: readonly Negation[], source: readonly Negation[]): boolean {
  if (source.length === 0 || said.length === source.length) return false;
  const used = new Set(contentStems(part));
  return source.some(({ target }) => used.has(target) && !said.some((other) => other.target === target));
}

function sameTargets(a: readonly Negation[], b: readonly Negation[]): boolean {
  const targets = (list: readonly Negation[]): string =>
    list
      .map(({ target }) => target)
      .sort()
      .join(' ');
  return targets(a) === targets(b);
}

const scopeBoundary =
  /[;:,]|(?<!\p{L})(?:and|or|but|while|whereas|although|unless|except|because|which|who|if|when)(?!\p{L})/iu;

/** "No pets are allowed" and "Pets are not allowed": one negation each, in clauses of the same words. */
function sameScope({ said, source }: Aligned): boolean {
  const negated = [said, source].map((sentence) =>
    sentence.split(scopeBoundary).filter((part) => unbounded(part).length > 0),
  );
  const [one, other] = negated.map((clauses) =>
    clauses.length === 1
      ? contentStems(clauses[0] ?? '')
          .sort()
          .join(' ')
      : null,
  );
  return one !== null && one === other;
}

function wordsOf(sentence: string): string {
  return words(sentence).sort().join(' ');
}

/** "unavailable" where the other says "available" is a negation in a prefix. */
function prefixExplains(a: string, b: string): boolean {
  return flippedWord(a, b) !== null || flippedWord(b, a) !== null;
}

function flippedWord(a: string, b: string): string | null {
  const there = new Set(words(b).map(stem));
  for (const word of words(a)) {
    const plain = isStopWord(word) || there.has(stem(word)) ? null : withoutNegatingPrefix(word);
    if (plain !== null && there.has(plain)) return word;
  }
  return null;
}

function prefixConflict(pair: Pick<Aligned, 'said' | 'source'>): Finding | null {
  const word = flippedWord(pair.said, pair.source) ?? flippedWord(pair.source, pair.said);
  return word === null ? null : fails(`${shown(word)} is the opposite of what the other text says`);
}

const exception =
  /(?<!\p{L})(?:unless|except(?:ing|\s+(?:for|that|when|if))?|with\s+the\s+exception\s+of|other\s+than)(?!\p{L})/iu;
const exclusive = /(?<!\p{L})(?<!not\s)only(?!\p{L})/iu;

/** An exception may not be dropped or made up; "only" may not be added. */
function checkExceptions({ said, source }: Aligned): Finding | null {
  const [inSaid, inSource] = [exception.exec(said), exception.exec(source)];
  if (inSource && !inSaid)
    return fails(`the exception ${shown(source.slice(inSource.index, inSource.index + 40))} is left out`);
  if (inSaid && !inSource)
    return fails(`the exception ${shown(said.slice(inSaid.index, inSaid.index + 40))} is not in the source`);
  if (
    exclusive.test(said) &&
    !/(?<!\p{L})(?:(?<!not\s)only|solely|exclusively|just|sole|nothing\s+but|no\s+other)(?!\p{L})/iu.test(source)
  ) {
    return fails('"only" is not in the source');
  }
  return null;
}
