import { leadIn } from './lead-in.ts';
import { spacedLetters } from './letters.ts';
import { numberValue, type NumberStyle } from './number-style.ts';

/** A number in digits. `code`: digits that name something and agree only to the letter (007, 1.2.3, 16:9, section 4.10, 5a). */
export interface DigitNumber {
  start: number;
  end: number;
  kind: 'number' | 'ordinal' | 'code' | 'ratio';
  value: number;
}

const notInside = `(?<![${spacedLetters}\\p{N}_])(?<![${spacedLetters}][-/.:'’&])`;
const codePatterns = [
  // 1.2.3 and 192.168.0.1; 16:9; telephone numbers and other groups joined by hyphens; 007
  '\\d+(?:\\.\\d+){2,}',
  '\\d+(?::\\d+)+',
  '\\d+(?:-\\d+){2,}|\\d+-0\\d+|0\\d+-\\d+',
  '\\d+/\\d+(?:/\\d+)*',
  '0\\d+(?![.,]\\d)',
];
const code = new RegExp(`${notInside}(?:${codePatterns.join('|')})(?![${spacedLetters}\\p{N}])`, 'gu');
const number = new RegExp(`${notInside}(?:\\d{1,3}(?:[ '’]\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*)`, 'gu');
const grouped = /(?<!\d)\d{1,3}(?:[ '’]\d{3})+(?!\d)/gu;
const ordinalEnd = /^(?:st|nd|rd|th)(?![\p{L}\p{N}])/iu;
const power = /^\s?[×x·*]\s?10(?:\^\s?([-+]?\d+)|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))|^e([-+]?\d{1,3})(?![\p{L}\p{N}])/u;
const ownPower = /^\^([-+]?\d+)|^([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)/u;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const fractionSigns: Record<string, number> = {
  '½': 1 / 2,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅕': 1 / 5,
  '⅛': 1 / 8,
};
const label =
  /(?:\b(?:section|sect|sec|chapter|clause|paragraph|para|article|art|version|release|table|figure|fig|appendix|annex|rule|item)\.?|§)\s*$/i;

/** Numbers written in digits, in order. Digits inside of a word or a code with letters (AB12, COVID-19) are none. */
export function digitNumbers(text: string, style: NumberStyle | null): DigitNumber[] {
  const found: DigitNumber[] = [];
  const groups = [...text.matchAll(grouped)];
  const isFree = (start: number): boolean => found.every((other) => start < other.start || start >= other.end);
  for (const match of text.matchAll(code)) {
    if (groups.some(({ index, 0: { length } }) => index < match.index && match.index < index + length)) continue;
    const ratio = simpleFraction(match[0]);
    if (ratio === null && numberValue(match[0], style) !== null && !/^0|[:/-]/.test(match[0])) continue;
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      kind: ratio === null ? 'code' : 'ratio',
      value: ratio ?? NaN,
    });
  }
  for (const match of text.matchAll(number)) {
    if (!isFree(match.index)) continue;
    for (const one of read(text, { at: match.index, digits: match[0] }, style)) found.push(one);
  }
  for (const match of text.matchAll(/(?<!\d)[½¼¾⅓⅔⅕⅛]/gu)) {
    found.push({ start: match.index, end: match.index + 1, kind: 'number', value: fractionSigns[match[0]] ?? NaN });
  }
  return found.sort((a, b) => a.start - b.start);
}

interface Run {
  at: number;
  digits: string;
}

function read(text: string, { at, digits }: Run, style: NumberStyle | null): DigitNumber[] {
  const value = numberValue(digits, style);
  if (value === null) return separateNumbers(text, { at, digits }, style);
  const end = at + digits.length;
  const rest = text.slice(end, end + 24);
  const ordinal = ordinalEnd.exec(rest);
  if (ordinal) return [{ start: at, end: end + ordinal[0].length, kind: 'ordinal', value }];
  if (/[.,]/.test(digits) && label.test(leadIn(text, at))) return [{ start: at, end, kind: 'code', value: NaN }];
  const start = signStart(text, at);
  const signed = start < at ? -value : value;
  const exponent = power.exec(rest);
  if (exponent) {
    const value = signed * 10 ** exponentOf(exponent.slice(1));
    return [{ start, end: end + exponent[0].length, kind: 'number', value }];
  }
  const raised = ownPower.exec(rest);
  if (raised) {
    return [{ start, end: end + raised[0].length, kind: 'number', value: signed ** exponentOf(raised.slice(1)) }];
  }
  const sign = fractionSigns[rest.charAt(0)];
  if (sign !== undefined) return [{ start, end: end + 1, kind: 'number', value: signed + sign }];
  const mixed = /^\s(\d)\/(\d{1,2})(?!\d|\/)/.exec(rest);
  if (mixed && Number(mixed[1]) < Number(mixed[2])) {
    return [{ start, end: end + mixed[0].length, kind: 'number', value: signed + Number(mixed[1]) / Number(mixed[2]) }];
  }
  return [{ start, end, kind: 'number', value: signed }];
}

/** "10,20,30" is three numbers. */
function separateNumbers(text: string, { at, digits }: Run, style: NumberStyle | null): DigitNumber[] {
  const runs = [...digits.matchAll(/\d+(?:\.\d+)?/g)].map((match) => ({ at: at + match.index, digits: match[0] }));
  return runs.flatMap((run) => read(text, run, style));
}

/** Where the number starts if a minus belongs to it: "-5", "minus 5", but not "10-5" nor "a - 5". */
function signStart(text: string, at: number): number {
  const minus = /(?<=^|[\s([:=<>≤≥|])(?<!\d\s?)[-–](?=$)|(?<![\p{L}])minus\s$/iu.exec(leadIn(text, at));
  return minus ? at - minus[0].length : at;
}

function exponentOf([plain, raised, e]: (string | undefined)[]): number {
  if (raised === undefined) return Number((plain ?? e ?? '0').replace('−', '-'));
  const digits = [...raised.replace(/[⁻⁺]/u, '')].map((char) => superscripts.indexOf(char)).join('');
  return Number(digits) * (raised.startsWith('⁻') ? -1 : 1);
}

/** 1/2 and 3/4 are fractions; 24/7, 120/80 and 2023/24 are not. */
function simpleFraction(raw: string): number | null {
  const match = /^([1-9])\/(\d{1,2})$/.exec(raw);
  if (!match) return null;
  const [over, under] = [Number(match[1]), Number(match[2])];
  return over < under && [2, 3, 4, 5, 6, 8, 10, 12, 16].includes(under) ? over / under : null;
}
