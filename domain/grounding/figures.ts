import { leadIn } from '../text/lead-in.ts';
import { boundHolds, type Bound } from '../text/bounds.ts';
import { betterMatchElsewhere } from './binding.ts';
import type { Premise } from './premise.ts';
import type { Figure, Moment, Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';
import { namesUnit, sameNumber, sameRate, sameValue } from './same-quantity.ts';

/** Every number of a statement must stand in the sentences quoted from, with its unit, rate and bound; or, noted, in the rest of the passage or its heading. */
export function checkFigures(statement: Reading, premise: Premise): Finding | null {
  let note: Finding | null = null;
  for (const figure of statement.figures) {
    const finding = checkOne(figure, statement, premise);
    if (finding?.verdict === 'fails') return finding;
    note ??= finding;
  }
  return note;
}

function checkOne(figure: Figure, statement: Reading, premise: Premise): Finding | null {
  const inQuotes = countsOf(premise.quoted).filter((source) =>
    agrees({ ...figure, text: statement.text }, { ...source, text: premise.quoted.text }, premise),
  );
  const bounded = inQuotes.filter((source) => boundsAgree(figure, source));
  if (bounded.length > 0) {
    const better = betterMatchElsewhere({ statement, value: figure.quantity }, premise.quoted, {
      holds: bounded.map(({ quantity }) => quantity),
      rivals: premise.quoted.figures.filter((source) => isRival(figure, source)).map(({ quantity }) => quantity),
    });
    return better
      ? fails(`${shown(figure.quantity.raw)} is said of something else; here the source gives ${shown(better.raw)}`)
      : null;
  }
  const unbounded = inQuotes[0];
  if (unbounded) return fails(`${shown(phrase(figure))} changes the bound of the source, ${shown(phrase(unbounded))}`);
  return elsewhere(figure, statement, premise) ?? fails(missing(figure, premise));
}

function elsewhere(figure: Figure, statement: Reading, premise: Premise): Finding | null {
  const told = new Set(statement.clauses.flatMap((clause) => [...clause.stems]));
  const fits = (source: Figure, reading: Reading): boolean =>
    agrees({ ...figure, text: statement.text }, { ...source, text: reading.text }, premise) &&
    boundsAgree(figure, source);
  const inPassage = premise.passage.figures.find((source) => {
    const sentence = premise.passage.sentences.find(
      ({ start, end }) => start <= source.quantity.start && source.quantity.start < end,
    );
    const stems = premise.passage.clauses
      .filter((clause) => sentence && clause.start >= sentence.start && clause.end <= sentence.end)
      .flatMap((clause) => [...clause.stems]);
    return fits(source, premise.passage) && stems.some((stem) => told.has(stem));
  });
  if (inPassage)
    return { verdict: 'holds', note: `${shown(figure.quantity.raw)} stands in the passage, outside of the quote` };
  const inContext = premise.context.figures.find((source) => fits(source, premise.context));
  return inContext
    ? { verdict: 'holds', note: `${shown(figure.quantity.raw)} stands in the heading, outside of the quote` }
    : null;
}

function agrees(figure: Figure & { text: string }, source: Figure & { text: string }, premise: Premise): boolean {
  const [said, given] = [figure.quantity, source.quantity];
  const unitFromHeader =
    said.unit !== null &&
    given.unit === null &&
    sameNumber(said, given) &&
    namesUnit(`${premise.context.text}\n${premise.quoted.text}`, said.unit);
  if (!sameValue(said, given) && !unitFromHeader) return false;
  return sameRate({ per: said.per, text: figure.text }, { per: given.per, text: source.text });
}

function boundsAgree(figure: Figure, source: Figure): boolean {
  const [said, given] = [figure.quantity.role, source.quantity.role];
  if ((said === 'from' && given === 'to') || (said === 'to' && given === 'from')) return false;
  return boundHolds(boundOf(figure), boundOf(source));
}

/** The ends of a range limit it: "10–12" is at least 10 and at most 12. */
function boundOf({ quantity, bound }: Figure): Bound {
  if (bound !== 'exact') return bound;
  return quantity.role === 'low' ? 'min' : quantity.role === 'high' ? 'max' : 'exact';
}

/** "1950 people": four digits that may be a year are also a count, unless they stand as a date does ("in 1950"). */
function countsOf(reading: Reading): Figure[] {
  const counts = reading.moments.filter(
    ({ date }) => /^\d{4}$/.test(date.raw) && !datePreposition.test(leadIn(reading.text, date.start)),
  );
  const asFigure = ({ date, bound }: Moment): Figure => ({
    quantity: {
      kind: 'number',
      start: date.start,
      end: date.end,
      raw: date.raw,
      value: date.year ?? NaN,
      unit: null,
      per: null,
      role: null,
    },
    bound,
  });
  return [...reading.figures, ...counts.map(asFigure)];
}

const datePreposition =
  /(?<!\p{L})(?:in|since|of|by|until|from|during|year|before|after|early|late|mid|and|to)[\s-]+$/iu;

/** A figure of the same kind with another value: what the statement may have been meant to say. */
function isRival(figure: Figure, source: Figure): boolean {
  const [said, given] = [figure.quantity, source.quantity];
  if (said.kind !== given.kind || sameValue(said, given)) return false;
  return (said.unit?.dimension ?? null) === (given.unit?.dimension ?? null);
}

function phrase({ quantity, bound }: Figure): string {
  const words: Record<Bound, string> = {
    exact: '',
    min: 'at least ',
    above: 'more than ',
    max: 'at most ',
    below: 'less than ',
    about: 'about ',
  };
  return words[bound] + quantity.raw;
}

function missing({ quantity }: Figure, premise: Premise): string {
  const other = premise.quoted.figures.find((source) => sameNumber(quantity, source.quantity));
  if (other?.quantity.raw === quantity.raw) return `the unit of ${shown(quantity.raw)} is not in the source`;
  if (other) return `${shown(quantity.raw)} differs from ${shown(other.quantity.raw)} in the source`;
  return `the figure ${shown(quantity.raw)} is not in the source`;
}
