import type { Conflict } from '../contracts/evidence.ts';
import { boundAt, type Bound } from '../text/bounds.ts';
import { words, stem, isStopWord } from '../text/words.ts';

export interface ComparableStrip {
  evidenceId: string;
  documentId: string;
  start: number;
  text: string;
  authority: number;
  effectiveFrom: string | null;
}

/** Least share of the shorter sentence's content words, figures aside, that the other holds, too, for their figures to be about the same thing. */
const sameSubject = 0.5;

const figure = /(?<![\p{L}\p{N}/_.-])(\p{N}+(?:[.,]\p{N}+)*)(?![\p{N}/_-])\s?(%|\p{L}+)?/gu;

/**
 * Pairs of strips from different documents that say nearly the same but with another figure of the same unit. The preferred document is the one
 * with the higher authority, else the later date of effect, else none.
 */
export function findConflicts(strips: ComparableStrip[]): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [i, a] of strips.entries()) {
    for (const b of strips.slice(i + 1)) {
      if (a.documentId === b.documentId || similarity(a.text, b.text) < sameSubject) continue;
      const values = differingFigures(a.text, b.text);
      if (!values) continue;
      conflicts.push({
        spans: [
          { evidenceId: a.evidenceId, start: a.start },
          { evidenceId: b.evidenceId, start: b.start },
        ],
        documentIds: [a.documentId, b.documentId],
        values,
        preferred: preferred(a, b),
      });
    }
  }
  return conflicts;
}

function preferred(a: ComparableStrip, b: ComparableStrip): string | null {
  if (a.authority !== b.authority) return a.authority > b.authority ? a.documentId : b.documentId;
  if (a.effectiveFrom && b.effectiveFrom && a.effectiveFrom !== b.effectiveFrom) {
    return a.effectiveFrom > b.effectiveFrom ? a.documentId : b.documentId;
  }
  return null;
}

/** The first figures of one unit of which neither text holds the other's value, as written. */
function differingFigures(a: string, b: string): [string, string] | null {
  const right = figuresByUnit(b);
  for (const [unit, values] of figuresByUnit(a)) {
    const others = right.get(unit);
    if (!others || [...values.keys()].some((value) => others.has(value))) continue;
    const [x] = values.values();
    const [y] = others.values();
    if (x !== undefined && y !== undefined) return [x, y];
  }
  return null;
}

/** A figure after such a word names a place or a thing ("page 2", "version 3") and measures nothing. */
const label =
  /(?<!\p{L})(?:page|section|chapter|figure|table|step|part|item|line|version|release|number|no\.?|note|appendix|annex|paragraph|clause|article|rule|room|floor|bay|model)\s*$/iu;

/** A figure that only says from where something else holds ("above 6000 requests", "under 5 kg") states no value of its own. */
const condition = new Set<Bound>(['above', 'below']);

/** Unit → plain value → the figure as written. */
function figuresByUnit(text: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const match of text.matchAll(figure)) {
    const [written, value = '', unit = ''] = match;
    if (label.test(text.slice(0, match.index))) continue;
    if (condition.has(boundAt(text, match.index, match.index + value.length).bound)) continue;
    const key = unit === '%' ? '%' : stem(unit.toLowerCase());
    if (isStopWord(unit.toLowerCase())) continue;
    const values = found.get(key) ?? new Map<string, string>();
    values.set(value.replace(/[.,](?=\p{N}{3}(?!\p{N}))/gu, ''), written);
    found.set(key, values);
  }
  return found;
}

function similarity(a: string, b: string): number {
  const left = subject(a);
  const right = subject(b);
  const shared = left.intersection(right).size;
  const smaller = Math.min(left.size, right.size);
  return smaller < 3 ? 0 : shared / smaller;
}

function subject(text: string): Set<string> {
  return new Set(
    words(text)
      .filter((word) => !isStopWord(word) && !/\p{N}/u.test(word))
      .map(stem),
  );
}
