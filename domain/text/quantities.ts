import { leadIn } from './lead-in.ts';
import { digitNumbers } from './digit-numbers.ts';
import { halfWidth } from './half-width.ts';
import { numberStyle, type NumberStyle } from './number-style.ts';
import { wordNumbers } from './number-words.ts';
import { currencyBefore, ratioUnit, timesUnit, unitAt, type Unit, type UnitMatch } from './units.ts';

/** A number of a text with its unit. */
export interface Quantity {
  /** `code`: digits that name something (007, 1.2.3, 5a) and agree only to the letter. `vague`: "dozens". */
  kind: 'number' | 'ordinal' | 'code' | 'vague';
  start: number;
  end: number;
  raw: string;
  /** With its multiplier, in the unit as written: "2.5 million" is 2500000. NaN for codes and vague ones. */
  value: number;
  unit: Unit | null;
  /** Of a rate ("per day", "/day", "a day"): what it is per, as a unit's name or the word written. */
  per: string | null;
  /** Lower or upper end of a range ("10–12", "between 10 and 12"); start or end of a change ("rose from 10 to 12"). */
  role: 'low' | 'high' | 'from' | 'to' | null;
}

interface Draft extends Quantity {
  multiplier: number;
}

const multipliers: [RegExp, number][] = [
  [/^[\s-]?(?:million|mio\.?|mn)(?!\p{L})/iu, 1e6],
  [/^[\s-]?(?:billion|bn|mrd\.?)(?!\p{L})/iu, 1e9],
  [/^[\s-]?(?:trillion|tn)(?!\p{L})/iu, 1e12],
  [/^[\s-]?thousand(?!\p{L})/iu, 1e3],
  [/^[\s-]?hundred(?!\p{L})/iu, 1e2],
  [/^[\s-]?dozen(?!\p{L})/iu, 12],
  [/^[kK](?![\p{L}\p{N}/·°])/u, 1e3],
  [/^M(?![\p{L}\p{N}/·°])/u, 1e6],
  [/^千/u, 1e3],
  [/^[万萬]/u, 1e4],
  [/^[億亿]/u, 1e8],
];
/** Only money is written so: $5m, €3b. */
const moneyMultipliers: [RegExp, number][] = [
  [/^\s?[mM](?![\p{L}\p{N}])/u, 1e6],
  [/^\s?[bB](?![\p{L}\p{N}])/u, 1e9],
];
const rate = /^(?:\s?\/\s?|\s+(?:per|an?|each|every)\s+)(\p{L}+)/iu;
const changeVerb =
  /(?<!\p{L})(?:r[iao]se[ns]?|rising|increas\w*|gr[eo]w\w*|climb\w*|fell|fall\w*|drop\w*|declin\w*|decreas\w*|reduc\w*|improv\w*|chang\w*|rais\w*|lower\w*|cut|went|mov\w+|shift\w*|exten[ds]\w*|expand\w*|shr[aiu]nk\w*)(?!\p{L})[^.;]{0,60}$/iu;
const connector = /^\s?(?:–|—|-|\.\.\.?|…|to|through|until)\s?$/u;
const listed = /^\s*(?:,?\s*(?:and|or|&|nor)|\/|[×x])\s*$/u;
const comma = /^\s*,\s*$/u;

/**
 * Numbers and their units, in order. `style`: how decimals are written, by default what the text itself shows.
 * `skip`: spans that are something else (dates, identifiers).
 */
export function quantities(
  text: string,
  options: { style?: NumberStyle | null; skip?: readonly { start: number; end: number }[] } = {},
): Quantity[] {
  const plain = blank(halfWidth(text), options.skip ?? []);
  const style = options.style === undefined ? numberStyle(plain) : options.style;
  const drafts = [...fromDigits(plain, style), ...fromWords(plain)].sort((a, b) => a.start - b.start);
  const apart = drafts.filter((draft, i) => draft.start >= (drafts[i - 1]?.end ?? 0));
  for (const [i, draft] of apart.entries()) attachUnit(plain, draft, apart[i - 1]?.end ?? 0);
  const merged = mergeCompounds(plain, apart);
  linkNeighbours(plain, merged);
  return merged.map(({ multiplier: _, ...quantity }) => ({
    ...quantity,
    raw: text.slice(quantity.start, quantity.end),
  }));
}

function blank(text: string, spans: readonly { start: number; end: number }[]): string {
  let result = text;
  for (const { start, end } of spans)
    result = result.slice(0, start) + '\u0001'.repeat(end - start) + result.slice(end);
  return result;
}

const none = { raw: '', unit: null, per: null, role: null, multiplier: 1 };

function fromDigits(text: string, style: NumberStyle | null): Draft[] {
  return digitNumbers(text, style).map(({ kind, ...found }) =>
    kind === 'ratio'
      ? { ...none, ...found, kind: 'number', value: found.value * 100, unit: ratioUnit }
      : { ...none, ...found, kind },
  );
}

function fromWords(text: string): Draft[] {
  return wordNumbers(text)
    .filter(({ start, end }) => !isPronoun(text, start, end))
    .map(({ kind, ...found }) => {
      if (kind === 'ratio')
        return { ...none, ...found, kind: 'number' as const, value: found.value * 100, unit: ratioUnit };
      if (kind === 'times') return { ...none, ...found, kind: 'number' as const, unit: timesUnit };
      return { ...none, ...found, kind };
    });
}

/** "one of", "no one", "the one", "one another": nothing is counted. */
function isPronoun(text: string, start: number, end: number): boolean {
  if (text.slice(start, end).toLowerCase() !== 'one') return false;
  const lead = /(?:no|any|some|every|each|the|this|that|another|which|only|other|new|old|or|by|number)[\s-]+$/i;
  const tail =
    /^(?:['’]s|[\s-]+(?:of|another|by|or more|that|who|which|can|should|must|may|might|is|was|has|needs|does|will|would)\b|\s*[.,;:!?)]|\s*$)/i;
  return lead.test(leadIn(text, start)) || tail.test(text.slice(end, end + 20));
}

/** `from`: where the number before ends; its unit is not this one's currency. */
function attachUnit(text: string, draft: Draft, from: number): void {
  if (draft.kind === 'code' || draft.kind === 'vague' || draft.kind === 'ordinal' || draft.unit !== null) return;
  const currency = currencyBefore(text, draft.start);
  if (currency && currency.start >= from) {
    draft.unit = currency.unit;
    draft.start = currency.start;
    if (/(?<!\d\s?)[-–]$/.test(leadIn(text, draft.start))) draft.start -= 1;
  }
  const isMoney = draft.unit !== null;
  readMultiplier(text, draft, isMoney ? [...multipliers, ...moneyMultipliers] : multipliers);
  if (!isMoney) readUnit(text, draft);
  readRate(text, draft);
  if (
    draft.unit === null &&
    draft.multiplier === 1 &&
    /^\p{Script=Latin}/u.test(text.slice(draft.end, draft.end + 2))
  ) {
    draft.kind = 'code';
    draft.end += /^[\p{L}\p{N}]+/u.exec(text.slice(draft.end, draft.end + 40))?.[0].length ?? 0;
  }
}

function readMultiplier(text: string, draft: Draft, from: [RegExp, number][]): void {
  for (const [regex, factor] of from) {
    const match = regex.exec(text.slice(draft.end, draft.end + 12));
    if (!match) continue;
    draft.value *= factor;
    draft.multiplier = factor;
    draft.end += match[0].length;
    return;
  }
}

function readUnit(text: string, draft: Draft): void {
  const gap = /^[\s-]?/.exec(text.slice(draft.end, draft.end + 1))?.[0].length ?? 0;
  const match = unitAt(text, draft.end + gap);
  if (!match || isNotUnit(text, match)) return;
  draft.unit = match.unit;
  draft.end = match.end;
}

/** "3 x 4", "5 times table", "2 won the race", "1 A" in a list. */
function isNotUnit(text: string, { unit, start, end }: UnitMatch): boolean {
  if (unit.dimension === 'times' && /^[x×]$/.test(text.slice(start, end))) return /^\s?\d/.test(text.slice(end));
  if (unit.dimension === 'krw' && /^won$/i.test(text.slice(start, end)))
    return /^\s+(?:the|a|an|by|at|in|every|it|its)\b/.test(text.slice(end));
  return false;
}

function readRate(text: string, draft: Draft): void {
  const match = rate.exec(text.slice(draft.end, draft.end + 40));
  if (!match?.[1] || (draft.unit === null && !/\/|per/i.test(match[0]) && draft.value === 1)) return;
  const wordStart = draft.end + match[0].length - match[1].length;
  const unit = unitAt(text, wordStart);
  const isArticle = /\s(?:an?|each|every)\s/i.test(match[0]);
  if (isArticle && (unit === null || !/^(?:time|calendar|working day)$/.test(unit.unit.dimension))) return;
  draft.per = unit?.unit.name ?? match[1].toLowerCase();
  draft.end = unit?.end ?? wordStart + match[1].length;
}

/** "1 h 30 min" is one duration, "5 ft 10 inches" one length. */
function mergeCompounds(text: string, drafts: Draft[]): Draft[] {
  const merged: Draft[] = [];
  for (const draft of drafts) {
    const last = merged.at(-1);
    const between = last ? text.slice(last.end, draft.start) : '';
    const joins = last?.unit?.dimension === 'time' ? /^\s?(?:and\s|,\s)?$/ : /^\s?$/;
    const isPart =
      last?.unit &&
      draft.unit &&
      /^(?:time|length|mass|calendar)$/.test(draft.unit.dimension) &&
      last.unit.dimension === draft.unit.dimension &&
      joins.test(between) &&
      draft.unit.factor < last.unit.factor &&
      draft.value < last.unit.factor / draft.unit.factor;
    if (last?.unit && draft.unit && isPart) {
      last.value += (draft.value * draft.unit.factor) / last.unit.factor;
      last.end = draft.end;
      last.per = draft.per;
    } else merged.push(draft);
  }
  return merged;
}

/** Marks the two ends of ranges and changes, and gives "10 and 12 kg", "10–12 million" and "$5–7" their common unit and multiplier. */
function linkNeighbours(text: string, drafts: Draft[]): void {
  let inList = false;
  for (let i = drafts.length - 2; i >= 0; i--) {
    const [a, b] = [drafts[i], drafts[i + 1]];
    if (!a || !b || a.kind !== 'number' || b.kind !== 'number') {
      inList = false;
      continue;
    }
    const between = text.slice(a.end, b.start);
    const isBetween = /^\s+and\s+$/i.test(between) && /\bbetween\s+$/i.test(leadIn(text, a.start));
    const isRange = isBetween || connector.test(between);
    inList = listed.test(between) || (inList && comma.test(between));
    if (isRange || inList) share(a, b, isRange);
    if (isRange && !isBetween && !/^\s?[–—-]/.test(between) && isChange(leadIn(text, a.start)))
      [a.role, b.role] = ['from', 'to'];
    else if (isRange) [a.role, b.role] = ['low', 'high'];
  }
}

function share(a: Draft, b: Draft, isRange: boolean): void {
  if (isRange && a.multiplier === 1 && b.multiplier > 1 && a.value < b.value / b.multiplier) a.value *= b.multiplier;
  if (a.unit === null && b.unit !== null) a.unit = b.unit;
  else if (b.unit === null && a.unit !== null && isRange) b.unit = a.unit;
  if (a.per === null && a.unit === b.unit) a.per = b.per;
}

/** "rose from 10 to 12" is a change, "takes from 10 to 12 days" a range. */
function isChange(lead: string): boolean {
  const from = /\bfrom\s+(?:\p{L}+\s+)?$/iu;
  return from.test(lead) && changeVerb.test(lead.replace(from, ''));
}
