import type { Conflict } from '../contracts/evidence.ts';

const most = { subjects: 5, values: 4, names: 3 };

/** One source's value for what others say otherwise. */
interface Claim {
  documentId: string;
  value: string;
}

/**
 * What sources say against each other, a line a subject: which of them says which value, and which has the higher standing. Statements that contradict
 * one another, directly or through a third, are of one subject. Bounded: what goes beyond is counted.
 */
export function conflictLines(conflicts: readonly Conflict[], nameOf: (documentId: string) => string): string[] {
  const subjects = subjectsOf(conflicts);
  const lines = subjects.slice(0, most.subjects).map((subject) => lineOf(subject, nameOf));
  const more = subjects.length - lines.length;
  return more > 0 ? [...lines, `Sources disagree about ${more} more thing(s).`] : lines;
}

function lineOf(conflicts: readonly Conflict[], nameOf: (documentId: string) => string): string {
  const byValue = Map.groupBy(conflicts.flatMap(claimsOf), ({ value }) => value);
  const said = [...byValue].map(([value, claims]) => {
    const names = [...new Set(claims.map(({ documentId }) => nameOf(documentId)))];
    return `${listed(names, most.names)} ${names.length > 1 ? 'say' : 'says'} ${value}`;
  });
  const others = said.length - most.values;
  const shown = said.slice(0, others > 0 ? most.values : said.length).join(', ');
  return `${shown}${others > 0 ? `, others say ${others} more value(s)` : ''}; ${standing(conflicts, nameOf)}`;
}

/** Documents that are preferred to another one and that none is preferred to. */
function standing(conflicts: readonly Conflict[], nameOf: (documentId: string) => string): string {
  const preferred = new Set(conflicts.flatMap(({ preferred: id }) => id ?? []));
  const beaten = new Set(
    conflicts.flatMap(({ documentIds, preferred: id }) => (id === null ? [] : documentIds.filter((one) => one !== id))),
  );
  const names = [...new Set([...preferred.difference(beaten)].map(nameOf))];
  if (names.length === 0) return 'nothing tells which one holds.';
  return `${listed(names, most.names)} ${names.length > 1 ? 'have' : 'has'} the higher standing.`;
}

function claimsOf({ documentIds, values }: Conflict): Claim[] {
  return [
    { documentId: documentIds[0], value: values[0] },
    { documentId: documentIds[1], value: values[1] },
  ];
}

interface Subject {
  keys: Set<string>;
  conflicts: Conflict[];
}

/** Conflicts that hang together, in the order of their first ones. */
function subjectsOf(conflicts: readonly Conflict[]): Conflict[][] {
  const subjects = new Set<Subject>();
  for (const conflict of conflicts) {
    const keys = keysOf(conflict);
    const touched = [...subjects].filter((subject) => keys.some((key) => subject.keys.has(key)));
    const [first = emptySubject(), ...others] = touched;
    for (const other of others) subjects.delete(other);
    first.keys = new Set([...first.keys, ...others.flatMap((other) => [...other.keys]), ...keys]);
    first.conflicts.push(...others.flatMap((other) => other.conflicts), conflict);
    subjects.add(first);
  }
  return [...subjects].map((subject) => subject.conflicts);
}

function emptySubject(): Subject {
  return { keys: new Set(), conflicts: [] };
}

/** A strip may speak of several things: a value in it is of one. */
function keysOf({ spans, values }: Conflict): string[] {
  return spans.map(({ evidenceId, start }, n) => JSON.stringify([evidenceId, start, values[n]]));
}

function listed(names: readonly string[], limit: number): string {
  if (names.length > limit) return `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
