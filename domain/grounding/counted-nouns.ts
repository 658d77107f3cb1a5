import { isStopWord, stem, words } from '../text/words.ts';
import { hasKin, hasRelative, spelt } from './content.ts';
import type { Premise } from './premise.ts';
import type { Figure, Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** Words for whatever is counted. */
const general = new Set(
  [
    'people',
    'persons',
    'person',
    'individuals',
    'items',
    'things',
    'pieces',
    'units',
    'total',
    'cases',
    'examples',
  ].map(stem),
);

/** What a bare number counts must be named by the source: "24 Jahre" does not follow from "24 Monate", in whatever language. */
export function checkCountedNouns(statement: Reading, premise: Premise): Finding | null {
  const named = new Set(words(`${premise.quoted.text}\n${premise.context.text}`).map(stem));
  for (const figure of statement.figures) {
    const counted = nounsAfter(statement.text, figure);
    const isNamed = (one: string): boolean =>
      general.has(one) || named.has(one) || hasRelative(one, named) || hasKin(one, named);
    if (counted.length === 0 || counted.some(isNamed)) continue;
    const source = premise.quoted.figures.find(({ quantity }) => quantity.value === figure.quantity.value);
    if (source && nounsAfter(premise.quoted.text, source).length > 0)
      return fails(`the source does not count ${shown(spelt(counted[0] ?? '', statement.text))}`);
  }
  return null;
}

/** The first two words of meaning right after a bare number. */
function nounsAfter(text: string, { quantity }: Figure): string[] {
  if (quantity.kind !== 'number' || quantity.unit !== null || quantity.per !== null) return [];
  const rest = /^(?:[\s-]+\p{L}[\p{L}\p{N}'’]*)+/u.exec(text.slice(quantity.end, quantity.end + 60))?.[0] ?? '';
  const next = words(rest).slice(0, 2);
  return next[0] === undefined || isStopWord(next[0]) ? [] : next.filter((word) => !isStopWord(word)).map(stem);
}
