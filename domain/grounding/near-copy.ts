import { boundHolds } from '../text/bounds.ts';
import { countPseudoNegations } from '../text/negation.ts';
import { align } from './alignment.ts';
import { dateHolds } from './calendar.ts';
import { coverage, spelt } from './content.ts';
import type { Premise } from './premise.ts';
import { readText, type Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';
import { sameValue } from './same-quantity.ts';

/**
 * A sentence that repeats its source nearly word for word may not change any of its words of meaning, and must keep its numbers and dates
 * where they are: "12 patients and 48 doctors" holds the words and numbers of "48 patients and 12 doctors".
 */
export function checkNearCopy(statement: Reading, premise: Premise): Finding | null {
  return firstOf(
    nearCopies(statement, premise),
    (copy) => changedWord(copy.said, premise) ?? movedValue(copy) ?? changedIdiom(copy),
  );
}

/** As `checkNearCopy`, but with other words of meaning let through: they may say the same. */
export function checkMovedValues(statement: Reading, premise: Premise): Finding | null {
  return firstOf(nearCopies(statement, premise), (copy) => movedValue(copy) ?? changedIdiom(copy));
}

interface Copy {
  said: Reading;
  source: Reading;
}

function nearCopies(statement: Reading, premise: Premise): Copy[] {
  return align(statement, premise.quoted)
    .filter(({ isNearCopy }) => isNearCopy)
    .map(({ said, source }) => ({ said: readText(said, premise.hints), source: readText(source, premise.hints) }));
}

function firstOf(copies: readonly Copy[], rule: (copy: Copy) => Finding | null): Finding | null {
  for (const copy of copies) {
    const finding = rule(copy);
    if (finding) return finding;
  }
  return null;
}

function changedWord(said: Reading, premise: Premise): Finding | null {
  const [missing] = coverage(said, premise).missing;
  return missing === undefined
    ? null
    : fails(`${shown(spelt(missing, said.text))} is not in the sentence that is otherwise repeated`);
}

function movedValue({ said, source }: Copy): Finding | null {
  if (!keepsOrder(said, source)) return null;
  const figure = movedOfOneKind(said.figures, source.figures, {
    kind: ({ quantity }) => quantity.unit?.dimension ?? quantity.kind,
    agree: (a, b) => sameValue(a.quantity, b.quantity) && boundHolds(a.bound, b.bound),
  });
  if (figure) return fails(`${shown(figure.quantity.raw)} stands where the source has another figure`);
  const moment = movedOfOneKind(said.moments, source.moments, {
    kind: ({ date }) => date.kind,
    agree: (a, b) => dateHolds(a.date, b.date),
  });
  if (moment) return fails(`${shown(moment.date.raw)} stands where the source has another date`);
  const code = moved(said.identifiers, source.identifiers, (a, b) => a === b);
  if (code !== null) return fails(`${shown(code)} stands where the source has another identifier`);
  return null;
}

interface Likeness<V> {
  kind: (value: V) => string;
  agree: (said: V, source: V) => boolean;
}

function movedOfOneKind<V>(said: readonly V[], source: readonly V[], { kind, agree }: Likeness<V>): V | null {
  const there = Map.groupBy(source, kind);
  for (const [name, values] of Map.groupBy(said, kind)) {
    const found = moved(values, there.get(name) ?? [], agree);
    if (found !== null) return found;
  }
  return null;
}

/** The first value that differs from the one in its place, where there are as many. */
function moved<V>(said: readonly V[], source: readonly V[], agree: (said: V, source: V) => boolean): V | null {
  if (said.length !== source.length) return null;
  return said.find((value, i) => !agree(value, source[i] ?? value)) ?? null;
}

/** Whether both have the same words of meaning in the same order: then a value in another place is a change. */
function keepsOrder(said: Reading, source: Reading): boolean {
  const order = (reading: Reading): string => reading.clauses.flatMap((clause) => [...clause.stems]).join(' ');
  return order(said) === order(source);
}

function changedIdiom({ said, source }: Copy): Finding | null {
  return countPseudoNegations(said.text) > countPseudoNegations(source.text)
    ? fails('"not" is added to the sentence that is otherwise repeated')
    : null;
}
