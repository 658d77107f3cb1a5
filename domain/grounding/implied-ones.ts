import type { Quantity } from '../text/quantities.ts';
import { unitAt } from '../text/units.ts';

const lead =
  /(?<![\p{L}\p{N}])(?:within|after|for|in|lasts?|lasted|takes?|took|under|over|than|least|most|to|about|nearly|almost|every|each)\s+(?:an?\s+)?(?=\p{L})/giu;

/** "within an hour", "every day": one unit of time, without a numeral. */
export function impliedOnes(text: string): Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(lead)) {
    if (!/(?:\san?|every|each)\s+$/i.test(match[0])) continue;
    const at = match.index + match[0].length;
    const unit = unitAt(text, at);
    if (!unit || !/^(?:time|calendar|working day)$/.test(unit.unit.dimension)) continue;
    const start = at - (/an?\s+$/i.exec(match[0])?.[0].length ?? 0);
    found.push({
      kind: 'number',
      start,
      end: unit.end,
      raw: text.slice(start, unit.end),
      value: 1,
      unit: unit.unit,
      per: null,
      role: null,
    });
  }
  return found;
}
