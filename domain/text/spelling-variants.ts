import { stem } from './words.ts';

/** Plurals that no stemmer finds. */
const irregular: ReadonlyMap<string, string> = new Map(
  ['geese goose', 'feet foot', 'teeth tooth', 'mice mouse', 'men man', 'women woman', 'children child', 'people person']
    .map((forms) => forms.split(' ').map(stem))
    .map(([plural = '', singular = '']) => [plural, singular]),
);

/** Letters of a word in which one slip is taken for a slip, not for another word (contract and contact, gate and date). */
const slipFrom = 8;
const shortestPrefix = 5;
const longestEnding = 2;
/** Employer and employee are two people. */
const otherPerson = /^e?r?$/;

/** Whether two stems are one word in other spellings or inflections: colour and color, geese and goose, weigh and weight; numbers never are. */
export function isSpellingVariant(a: string, b: string): boolean {
  if (a === b) return true;
  if (a[0] !== b[0] || /\p{N}/u.test(a + b)) return false;
  const [one, other] = [plain(a), plain(b)];
  if (one === other) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const ending = long.slice(short.length);
  if (short.length >= shortestPrefix && long.startsWith(short))
    return ending.length <= longestEnding && !otherPerson.test(ending);
  return short.length >= slipFrom && oneSlip(short, long);
}

/** British and American spellings and doubled letters as one. */
function plain(word: string): string {
  const singular = irregular.get(word) ?? word;
  return singular
    .replace(/our/g, 'or')
    .replace(/z/g, 's')
    .replace(/(\p{L})\1/gu, '$1');
}

/** One letter other, more or less. */
function oneSlip(short: string, long: string): boolean {
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  const rest = long.slice(start + 1);
  return rest === short.slice(start + 1) || rest === short.slice(start);
}
