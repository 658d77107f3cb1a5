import { spacedLetters } from './letters.ts';
import { unitByName, unitBySymbol, type Unit } from './unit-table.ts';

export type { Unit } from './unit-table.ts';

/** Vague names of money, and what they may stand for. */
const families: Record<string, string[]> = {
  dollar: ['usd', 'aud', 'cad', 'nzd', 'sgd', 'hkd'],
  kr: ['sek', 'nok', 'dkk', 'krona', 'krone'],
  krona: ['sek'],
  krone: ['nok', 'dkk'],
  'yen sign': ['jpy', 'cny'],
  franc: ['chf'],
  rupee: ['inr'],
};

/** Whether what is said in `said` holds of a value given in `source`: the same dimension, or a vaguer name of the same currency. */
export function unitCovers(said: Unit, source: Unit): boolean {
  return said.dimension === source.dimension || (families[said.dimension]?.includes(source.dimension) ?? false);
}

/** "10 pounds" is money where the text speaks of money, else a mass. */
function poundUnit(text: string): Unit {
  const money =
    /[£$€]|\bGBP\b|\bsterling\b|\b(?:pay|paid|price|cost|fee|fine|charge|salar|rent|refund|deposit|budget|worth|fare|penn|pence)/i;
  return money.test(text) ? known('gbp', unitByName.get('pound sterling')) : known('lb', unitBySymbol.get('lb'));
}

function known(name: string, unit: Unit | undefined): Unit {
  if (unit === undefined) throw new Error(`the unit ${name} is not defined`);
  return unit;
}

const escape = (form: string): string => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const longestFirst = (a: string, b: string): number => b.length - a.length;
const symbolPattern = new RegExp(`(?:${[...unitBySymbol.keys()].sort(longestFirst).map(escape).join('|')})`, 'uy');
const namePattern = new RegExp(
  `(${[...unitByName.keys(), 'pound']
    .sort(longestFirst)
    .map((name) => escape(name).replace(/ /g, '[ -]'))
    .join('|')})(s?)`,
  'iuy',
);
const currencyPrefix =
  /(?:(?:US|AU|CA|NZ|HK|A|C|S)?\$|[€£¥￥₹₽₩₺₪฿]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RUB|KRW|AUD|CAD|NZD|SGD|HKD)(?![\p{L}\p{N}]))\s?$/u;

export interface UnitMatch {
  unit: Unit;
  start: number;
  end: number;
}

/** The unit that starts at `at`, as a whole word, or null. */
export function unitAt(text: string, at: number): UnitMatch | null {
  symbolPattern.lastIndex = at;
  const symbol = symbolPattern.exec(text)?.[0];
  namePattern.lastIndex = at;
  const name = namePattern.exec(text);
  const nameLength = name && endsWord(text, at + name[0].length) ? name[0].length : 0;
  const symbolLength = symbol !== undefined && endsSymbol(text, at, symbol) ? symbol.length : 0;
  if (name?.[1] !== undefined && nameLength > 0 && nameLength >= symbolLength) {
    const key = name[1].toLowerCase().replace(/-/g, ' ');
    const unit = key === 'pound' ? poundUnit(text) : (unitByName.get(key) ?? unitByName.get(name[1].toLowerCase()));
    if (unit) return { unit, start: at, end: at + nameLength };
  }
  const unit = symbol === undefined ? undefined : unitBySymbol.get(symbol);
  return unit && symbolLength > 0 ? { unit, start: at, end: at + symbolLength } : null;
}

/** A currency sign or code that ends at `at` ("$", "EUR "), or null. */
export function currencyBefore(text: string, at: number): UnitMatch | null {
  const from = Math.max(0, at - 5);
  const match = currencyPrefix.exec(text.slice(from, at));
  if (!match) return null;
  const start = from + match.index;
  if (/^[A-Z]/.test(match[0]) && start > 0 && /[\p{L}\p{N}]/u.test(text.charAt(start - 1))) return null;
  const unit = unitBySymbol.get(match[0].trim());
  return unit ? { unit, start, end: at } : null;
}

const wordCharacter = new RegExp(`[${spacedLetters}\\p{N}]`, 'u');

function endsWord(text: string, end: number): boolean {
  return !wordCharacter.test(text.charAt(end));
}

function endsSymbol(text: string, start: number, symbol: string): boolean {
  const end = start + symbol.length;
  if (!/[\p{L}\p{N}]$/u.test(symbol)) return true;
  if (/\p{Script=Han}|\p{Script=Hiragana}/u.test(symbol)) return true;
  return endsWord(text, end) && !/^['’]\p{L}/u.test(text.slice(end, end + 2));
}

export const ratioUnit = known('%', unitBySymbol.get('%'));
export const timesUnit = known('×', unitBySymbol.get('×'));
