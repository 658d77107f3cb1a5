import type { Block } from '../contracts/parsed-document.ts';
import type { Unit } from './units.ts';

/** Under this many characters a passage is too small to be judged, so that it joins its neighbour. */
const smallest = 40;
/** How full (as a share of the target) a passage must be to end where a new section begins. */
const fullEnough = { topSection: 0.25, section: 0.5 };

/**
 * Runs of units that passages may span: one section of one page, or several small ones. A page ends a run unless the run is tiny
 * (a title page, a stub).
 */
export function groupUnits(units: Unit[], blocks: Block[], targetTokens: number): Unit[][] {
  const top = topLevel(blocks);
  const groups: Unit[][] = [];
  let current: Unit[] = [];
  let size = { tokens: 0, characters: 0 };
  for (const unit of units) {
    const before = current.at(-1);
    if (before && ends(before, unit, { size, targetTokens, top })) {
      groups.push(current);
      current = [];
      size = { tokens: 0, characters: 0 };
    }
    current.push(unit);
    size = { tokens: size.tokens + unit.tokens, characters: size.characters + unit.end - unit.start };
  }
  if (current.length === 0) return groups;
  const previous = groups.at(-1);
  if (previous && size.characters < smallest) previous.push(...current);
  else groups.push(current);
  return groups;
}

interface Fill {
  size: { tokens: number; characters: number };
  targetTokens: number;
  top: number;
}

function ends(before: Unit, next: Unit, { size, targetTokens, top }: Fill): boolean {
  if (size.characters < smallest) return false;
  if (before.page !== next.page) return true;
  if (next.passedHeading === null) return false;
  const share = next.passedHeading <= top ? fullEnough.topSection : fullEnough.section;
  return size.tokens >= targetTokens * share;
}

/** The outermost heading level that occurs more than once: a lone first heading is the document's title. */
function topLevel(blocks: Block[]): number {
  const counts = new Map<number, number>();
  for (const { kind, level = 1 } of blocks) if (kind === 'heading') counts.set(level, (counts.get(level) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([level]) => level);
  return Math.min(...(repeated.length > 0 ? repeated : counts.keys()), 6);
}
