import { passesLuhn, passesMod97 } from './checksums.ts';
import { type Finding, matchesOf } from './finding.ts';

const cardDigits = { min: 13, max: 19 };
/** ISO 13616: from Norway's 15 to the standard's own limit. */
const ibanLength = { min: 15, max: 34 };
/** Longer runs of digits name an account, a person or a parcel far more often than a quantity. */
const longNumber = 9;
const longGroupedNumber = 12;

const cardRun = /(?<!\d)\d(?:[ .-]?\d)*(?!\d)/g;
/** Points belong to versions and addresses of machines. */
const accountRun = /(?<!\d)\d(?:[ -]?\d)*(?!\d)/g;
const ibanStart = /(?<![\p{L}\p{N}])[A-Z]{2} ?\d{2}(?=[ -]?[A-Z0-9])/giu;
const year = /^(?:19|20)\d\d$/;

const strongKeyword =
  'account|acct|a/c|konto(?:nummer)?|compte|cuenta|conto|sort code|routing|passport|ssn|social security|national insurance|iban|bank';
const weakKeyword =
  'policy|customer|client|member(?:ship)?|patient|employee|tax|claim|case|order|invoice|kunden|versicherungs|personal';
const numberWord = 'numbers?|no\\.?|nr\\.?|num\\.?|nummer|id|#|:';
const value = String.raw`(?<value>[A-Z]{0,3}\d(?:[ -]?\d){4,})`;
const namedAccount = [
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${strongKeyword})[\s:#]*(?:(?:${numberWord}|is)[\s:#]*)*${value}`, 'giu'),
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${weakKeyword})[\s-]*(?:(?:${numberWord})[\s:#]*)+${value}`, 'giu'),
  /(?<![\p{L}\p{N}-])\d{3}-\d{2}-\d{4}(?![\p{N}-])/gu,
];

/** Cards, IBANs and other long numbers. The text's digits must be ASCII. */
export function financialNumbers(text: string): Finding[] {
  return [...ibans(text), ...cards(text), ...accounts(text)];
}

/** Each stretch of whole groups that has a card's length and check digit. */
function cards(text: string): Finding[] {
  return groupedDigits(text, cardRun).flatMap(({ start, groups }) => {
    for (let from = 0; from < groups.length; from += 1) {
      for (let to = groups.length; to > from; to -= 1) {
        const digits = groups
          .slice(from, to)
          .map((group) => group.digits)
          .join('');
        if (digits.length < cardDigits.min || digits.length > cardDigits.max || !passesLuhn(digits)) continue;
        const first = groups[from];
        const last = groups[to - 1];
        if (first && last) return [{ kind: 'card' as const, start: start + first.start, end: start + last.end }];
      }
    }
    return [];
  });
}

function ibans(text: string): Finding[] {
  return [...text.matchAll(ibanStart)].flatMap(({ index }) => {
    let compact = '';
    let end: number | null = null;
    for (let at = index; at < text.length && compact.length < ibanLength.max; at += 1) {
      const sign = text[at] ?? '';
      if (/[ -]/.test(sign) && /[A-Z0-9]/i.test(text[at + 1] ?? '')) continue;
      if (!/[A-Z0-9]/i.test(sign)) break;
      compact += sign;
      const atEnd = !/[\p{L}\p{N}]/u.test(text[at + 1] ?? '');
      if (atEnd && compact.length >= ibanLength.min && passesMod97(compact)) end = at + 1;
    }
    return end === null ? [] : [{ kind: 'iban' as const, start: index, end }];
  });
}

function accounts(text: string): Finding[] {
  const long = groupedDigits(text, accountRun).flatMap(({ start, groups }) => {
    const total = groups.reduce((sum, { digits }) => sum + digits.length, 0);
    const dated = groups.some(({ digits }) => year.test(digits));
    const whole = groups.some(({ digits }) => digits.length >= longNumber);
    if (!whole && (total < longGroupedNumber || dated)) return [];
    const end = groups.at(-1)?.end ?? 0;
    return [{ kind: 'account_number' as const, start, end: start + end }];
  });
  return [...long, ...namedAccount.flatMap((pattern) => matchesOf(text, 'account_number', pattern))];
}

interface DigitGroups {
  start: number;
  /** Offsets from `start`. */
  groups: { digits: string; start: number; end: number }[];
}

/** Runs of digits, each in its groups. */
function groupedDigits(text: string, run: RegExp): DigitGroups[] {
  return [...text.matchAll(run)].map((match) => ({
    start: match.index,
    groups: [...match[0].matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
      digits,
      start: index,
      end: index + digits.length,
    })),
  }));
}
