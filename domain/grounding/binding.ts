import type { Span } from '../text/sentences.ts';
import type { Clause, Reading } from './reading.ts';

/**
 * Whether a value is said of the wrong thing: "Gold costs 40" of "Gold costs 55, silver costs 40". The clause of the source that holds the
 * value shares words with the statement's clause; if a clause with another value of the same kind shares all those and more, that value
 * (the rival) is the one that belongs here. Returns the rival, or null.
 */
export function betterMatchElsewhere<V extends Span>(
  said: { statement: Reading; value: Span },
  source: Reading,
  values: { holds: readonly V[]; rivals: readonly V[] },
): V | null {
  const told = clauseOf(said.statement, said.value)?.stems;
  if (!told || values.rivals.length === 0) return null;
  const homes = values.holds.map((value) => clauseOf(source, value)).filter((clause) => clause !== undefined);
  const homeOverlaps = homes.map((clause) => shared(clause, told));
  for (const rival of values.rivals) {
    const clause = clauseOf(source, rival);
    if (!clause || homes.some(({ start }) => start === clause.start)) continue;
    const overlap = shared(clause, told);
    if (homeOverlaps.every((home) => home.size < overlap.size && home.isSubsetOf(overlap))) return rival;
  }
  return null;
}

/** The clause of a value; where it says nothing else (a cell of a row), the whole sentence. */
function clauseOf(reading: Reading, span: Span): Clause | undefined {
  const holds = ({ start, end }: Span): boolean => start <= span.start && span.start < end;
  const clause = reading.clauses.find(holds);
  if (clause === undefined || clause.stems.size > 0) return clause;
  const sentence = reading.sentences.find(holds);
  if (!sentence) return clause;
  const within = reading.clauses.filter(({ start, end }) => start >= sentence.start && end <= sentence.end);
  return { ...sentence, stems: new Set(within.flatMap(({ stems }) => [...stems])) };
}

function shared(clause: Clause, told: Set<string>): Set<string> {
  return clause.stems.intersection(told);
}
