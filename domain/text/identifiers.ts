/** Letters and digits of scripts that put spaces between words: in a run of Japanese, "型番AB12は" holds the code AB12. */
const sign = String.raw`[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]`;
const candidate = new RegExp(`(?<!${sign})${sign}+(?:[\\-\\/_.]${sign}+)*(?!${sign})`, 'gv');
const acronym = /(?<![\p{L}\p{N}])\p{Lu}{2,6}(?![\p{L}\p{N}])/gu;

/** 12th, 5km, 10am, 2x, 60s: a number with its unit, not a name. */
const numberWithUnit = /^\d+(?:[.,]\d+)*(?:st|nd|rd|th|am|pm|x|[\p{Ll}µ°]{1,3}|[kMGT]?(?:Hz|W|Wh|B|V|A|Pa|Nm|N|J|L))$/u;
/** 30-day, 4-week. */
const numberWithWords = /^\d+(?:-\p{Ll}+)+$/u;
const onlyDigitsAndPoints = /^[\d.]+$/;
/** ISO 8601 with a time, as logs have it. */
const timestamp =
  /(?<![\p{L}\p{N}])\d{4}-\d{2}-\d{2}T\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\p{L}\p{N}])/gu;
const isoDate = /^\d{4}-\d{2}(?:-\d{2})?$/;
const numericDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;
const numericPair = /^\d+[/-]\d+$/;
/** Q3, H1, 1990s, FY2024 are times. */
const period = /^(?:Q[1-4]|H[12]|FY\d{2,4}|\d{4}s)$/;

/**
 * Codes, part numbers and the like, exactly as written, in order, without repeats: a run of letters and digits, joined by - / _ or ., that
 * holds a digit and a letter (E-0417/b, INV-1042-AB, Q7-Lima, X4) and is neither a date, a time nor a quantity.
 */
export function identifiers(text: string): string[] {
  const found = new Set<string>();
  for (const [raw] of text.replace(timestamp, ' ').matchAll(candidate)) if (isIdentifier(raw)) found.add(raw);
  return [...found];
}

function isIdentifier(raw: string): boolean {
  if (!/\p{N}/u.test(raw) || !/\p{L}/u.test(raw)) return false;
  if (onlyDigitsAndPoints.test(raw) || isoDate.test(raw) || numericDate.test(raw) || numericPair.test(raw))
    return false;
  return !(numberWithUnit.test(raw) || numberWithWords.test(raw) || period.test(raw));
}

/** Short words in capitals (MS, VAT) of a text that is not all in capitals. */
export function acronyms(text: string): string[] {
  if (text === text.toUpperCase()) return [];
  return [...new Set([...text.matchAll(acronym)].map(([raw]) => raw))];
}

/** Whether a text holds an identifier as a whole: E-0417/b is not in "E-0417/bc" nor in "XE-0417/b". Case counts where it tells codes apart. */
export function holdsIdentifier(text: string, identifier: string): boolean {
  return new RegExp(wholeCode(identifier.normalize('NFKC')), 'iv').test(text.normalize('NFKC'));
}

/** Whether a text holds a term letter by letter, case and width included: a code as `holdsIdentifier`, any other between signs of its own (VAT in "VAT-free"). */
export function holdsExactly(text: string, term: string): boolean {
  return new RegExp(isIdentifier(term) ? wholeCode(term) : wholeTerm(term), 'v').test(text);
}

function wholeCode(code: string): string {
  return `(?<!${sign}[\\-\\/_.])${wholeTerm(code)}(?![\\-\\/_.]${sign})`;
}

function wholeTerm(term: string): string {
  return `(?<!${sign})${term.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?!${sign})`;
}
