import type { TokenBudget } from './options.ts';
import type { Unit } from './units.ts';

/** Less than this share of the target is no passage of its own where it can be avoided. */
const leastShare = 0.25;
/** A passage ends at the start of a block rather than inside one if it is this full by then. */
const blockEndShare = 0.6;
/** A short rest joins the last passage up to this share of the target. */
const restShare = 1.25;

/**
 * Packs the units of one group into passages of about `target` tokens, in order. Each holds at least one unit that the one before does not;
 * text overlaps in whole units, rows and code never do.
 */
export function packUnits(group: Unit[], budget: TokenBudget): Unit[][] {
  const runs: Unit[][] = [];
  let from = 0;
  while (from < group.length) {
    const lead = fittingLead(group, from, budget);
    const to = runEnd(group, from, { budget, leadTokens: tokensIn(lead) });
    runs.push([...lead, ...group.slice(from, to)]);
    from = to;
  }
  return runs;
}

/** The last units before `from` that the next passage repeats. */
function fittingLead(group: Unit[], from: number, { overlap, limit }: TokenBudget): Unit[] {
  const next = group[from];
  if (next === undefined || from === 0 || !overlaps(next)) return [];
  let start = from;
  let tokens = 0;
  for (let at = from - 1; at > 0; at--) {
    const unit = group[at];
    if (unit === undefined || !overlaps(unit) || tokens + unit.tokens > overlap) break;
    tokens += unit.tokens;
    start = at;
  }
  return tokens + next.tokens > limit ? [] : group.slice(start, from);
}

function overlaps({ kind, cut }: Unit): boolean {
  return (kind === 'sentence' || kind === 'item') && !cut;
}

function runEnd(
  group: Unit[],
  from: number,
  { budget, leadTokens }: { budget: TokenBudget; leadTokens: number },
): number {
  const { target, limit } = budget;
  let tokens = leadTokens;
  let to = from;
  for (let unit = group[to]; unit !== undefined; unit = group[to]) {
    const more = tokens + unit.tokens;
    const wanted = more <= target || (tokens - leadTokens < target * leastShare && more <= limit);
    if (to > from && !wanted) break;
    tokens = more;
    to++;
  }
  const rest = restTokens(group, to, target);
  if (rest < target * leastShare && tokens + rest <= Math.min(limit, target * restShare)) return group.length;
  return to === group.length ? to : blockStartBefore(group, from, { to, tokens, least: target * blockEndShare });
}

/** Tokens from `at` on, counted only until they are sure to be a passage. */
function restTokens(group: Unit[], at: number, enough: number): number {
  let tokens = 0;
  for (let i = at; i < group.length && tokens < enough; i++) tokens += group[i]?.tokens ?? 0;
  return tokens;
}

function blockStartBefore(
  group: Unit[],
  from: number,
  { to, tokens, least }: { to: number; tokens: number; least: number },
): number {
  let left = tokens;
  for (let at = to; at > from; at--) {
    if (group[at]?.opensBlock) return at;
    left -= group[at - 1]?.tokens ?? 0;
    if (left < least) break;
  }
  return to;
}

function tokensIn(units: Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0);
}
