import { unsaid } from './said-in-source.ts';
import type { SourcePart } from './source-passages.ts';

const joint = /(?:,\s*|\s+)and\s+|;\s*/iu;
/** Speaks of what the sentence before speaks of; of whom "he" or "she" is said cannot be told. */
const goesOn = /^(?:it|they)\s+/iu;
const startsElsewhere = /^(?:it|they|he|she|we|this|these|that|those)(?!\p{L})/iu;
const copula = /(?<!\p{L})(?:is|are|was|were)(?!\p{L})/iu;

/**
 * Why parts of a source do not say a statement in their own words, or null. Words that are picked from several sentences say what none of them says: each
 * clause of the statement must stand in one of them, or in two of which the second goes on about the subject of the first.
 */
export function unsaidBy(statement: string, parts: readonly SourcePart[]): string | null {
  const [first, second] = parts;
  if (first === undefined) return 'the source holds no text';
  if (second === undefined) return unsaid(statement, ordersOf(first));
  const inOrder = parts.toSorted((a, b) => a.start - b.start);
  const linked = inOneBreath(inOrder);
  if (linked !== null) return unsaid(statement, [linked]);
  const clauses = statement.split(joint);
  const standing = inOrder.filter(({ text }) => !startsElsewhere.test(text));
  const lonely = clauses.find((clause) => standing.every((part) => unsaid(clause, ordersOf(part)) !== null));
  return lonely === undefined && clauses.length > 1 ? null : 'no sentence of the source says it';
}

/** A list item is said after what leads to it ("Bring these: a card"), or before ("a card cannot be returned"). */
function ordersOf({ text, leadIn }: SourcePart): string[] {
  return leadIn === null ? [text] : [`${leadIn.text} ${text}`, `${text} ${leadIn.text}`];
}

/** "The fee is for members. It is 12 %." as one; "It" is the subject where the first sentence only says what that is. Null where they do not belong together. */
function inOneBreath(parts: readonly SourcePart[]): string | null {
  const [first, second, third] = parts;
  if (!first || !second || third || first.leadIn || second.leadIn || !copula.test(first.text)) return null;
  const { parts: all } = first.passage;
  const follows = second.passage === first.passage && all.indexOf(second) === all.indexOf(first) + 1;
  return follows && goesOn.test(second.text) ? `${first.text} ${second.text.replace(goesOn, '')}` : null;
}
