import { cutAtWord } from '../rules/analyse.ts';
import { holdsIdentifier } from '../text/identifiers.ts';
import { sentences } from '../text/sentences.ts';

/** The longest query that Tavily takes. Counted in UTF-16 code units, of which no character has fewer than one. */
export const maxQueryCharacters = 400;

export interface QueryOptions {
  /** Those that stand in the text are kept, as far as they fit into half of the query. */
  identifiers: string[];
  maxCharacters?: number;
}

/**
 * A text as one line that a search engine takes. A longer one (a pasted log) is led by its questions and its last sentence; it is cut between
 * words, never inside a character, and the identifiers that the cut would lose are put at its end.
 */
export function webQuery(text: string, { identifiers, maxCharacters = maxQueryCharacters }: QueryOptions): string {
  const whole = text.toWellFormed();
  const line = oneLine(whole);
  if (line.length <= maxCharacters) return line;
  const telling = tellingFirst(whole);
  const present = identifiers.filter((identifier) => holdsIdentifier(line, identifier));
  let kept: string[] = [];
  for (;;) {
    const tail = kept.join(' ');
    const body = cutAtWord(telling, maxCharacters - (tail === '' ? 0 : tail.length + 1));
    const lost = present.find(
      (identifier) =>
        !kept.includes(identifier) &&
        tail.length + identifier.length + 1 <= maxCharacters / 2 &&
        !holdsIdentifier(body, identifier),
    );
    if (lost === undefined) return [body, tail].filter((part) => part !== '').join(' ');
    kept = [...kept, lost];
  }
}

/** Questions, then the last sentence, then the rest in its order. */
function tellingFirst(text: string): string {
  const parts = sentences(text).map(({ start, end }) => oneLine(text.slice(start, end)));
  const rank = (part: string, index: number): number =>
    (/[?？]$/.test(part) ? 2 : 0) + (index === parts.length - 1 ? 1 : 0);
  return parts
    .map((part, index) => ({ part, rank: rank(part, index) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ part }) => part)
    .join(' ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
