import type { Span } from '../text/sentences.ts';
import { dateHolds } from './calendar.ts';
import type { Premise } from './premise.ts';
import type { Figure, Moment, Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';
import { sameValue } from './same-quantity.ts';

interface Value extends Span {
  raw: string;
  /** Values of one kind answer the same question: which weekday, what time, how many kilograms. */
  kind: string;
  holds: (source: Value) => boolean;
  of: { figure: Figure } | { moment: Moment };
}

/**
 * Two values that a statement brings together must belong together in the source: "closes at 5 pm on Saturday" of "open Monday to Friday
 * until 5 pm, on Saturday until noon", or the first year with the second amount of "3.2 million in 2021, 4.1 million in 2022".
 */
export function checkPairing(statement: Reading, premise: Premise): Finding | null {
  const source = valuesByClause(premise.quoted);
  for (const clause of valuesByClause(statement)) {
    for (const [a, b] of pairs(clause)) {
      if (isTornApart(a, b, source))
        return fails(`${shown(a.raw)} and ${shown(b.raw)} do not belong together in the source`);
    }
  }
  return null;
}

function isTornApart(a: Value, b: Value, source: readonly Value[][]): boolean {
  const homes = source.filter(
    (clause) => clause.some((value) => a.holds(value)) && clause.some(({ kind }) => kind === b.kind),
  );
  if (homes.length === 0 || !source.some((clause) => clause.some((value) => b.holds(value)))) return false;
  return homes.every((clause) => {
    const [as, bs] = [clause.filter(({ kind }) => kind === a.kind), clause.filter(({ kind }) => kind === b.kind)];
    if (!bs.some((value) => b.holds(value))) return true;
    return (
      as.length > 1 &&
      as.length === bs.length &&
      !as.some((value, i) => a.holds(value) && bs[i] !== undefined && b.holds(bs[i]))
    );
  });
}

/** Values of two kinds that a clause has as many of, first with first. */
function pairs(clause: readonly Value[]): [Value, Value][] {
  const kinds = Map.groupBy(clause, ({ kind }) => kind);
  const found: [Value, Value][] = [];
  for (const [kind, values] of kinds) {
    for (const [other, partners] of kinds) {
      if (kind === other || values.length !== partners.length) continue;
      for (const [i, value] of values.entries()) found.push([value, partners[i] ?? value]);
    }
  }
  return found;
}

function valuesByClause(reading: Reading): Value[][] {
  const values = [
    ...reading.figures.filter(({ quantity }) => quantity.kind === 'number').map(ofFigure),
    ...reading.moments.map(ofMoment),
  ];
  return reading.clauses.map((clause) =>
    values.filter(({ start }) => clause.start <= start && start < clause.end).sort((a, b) => a.start - b.start),
  );
}

function ofFigure(figure: Figure): Value {
  const { start, end, raw, unit } = figure.quantity;
  const holds = ({ of }: Value): boolean => 'figure' in of && sameValue(figure.quantity, of.figure.quantity);
  return { start, end, raw, kind: unit?.dimension ?? 'number', holds, of: { figure } };
}

function ofMoment(moment: Moment): Value {
  const { start, end, raw, kind } = moment.date;
  const holds = ({ of }: Value): boolean => 'moment' in of && dateHolds(moment.date, of.moment.date);
  return { start, end, raw, kind: kind === 'period' ? 'date' : kind, holds, of: { moment } };
}
