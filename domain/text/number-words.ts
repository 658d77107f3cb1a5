import { leadIn } from './lead-in.ts';
const small: Record<string, number> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const magnitude: Record<string, number> = {
  hundred: 1e2,
  dozen: 12,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
const ordinal: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
};
const part: Record<string, number> = {
  half: 2,
  halves: 2,
  third: 3,
  thirds: 3,
  quarter: 4,
  quarters: 4,
  fourth: 4,
  fourths: 4,
  fifth: 5,
  fifths: 5,
  sixth: 6,
  sixths: 6,
  eighth: 8,
  eighths: 8,
  tenth: 10,
  tenths: 10,
};
const multiple: Record<string, number> = {
  twice: 2,
  double: 2,
  doubled: 2,
  doubles: 2,
  thrice: 3,
  triple: 3,
  tripled: 3,
  triples: 3,
  twofold: 2,
  threefold: 3,
  tenfold: 10,
};

export interface WordNumber {
  start: number;
  end: number;
  kind: 'number' | 'ordinal' | 'ratio' | 'times' | 'vague';
  value: number;
}

const magnitudes = Object.keys(magnitude).join('|');
const tens = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety';
const ones = 'one|two|three|four|five|six|seven|eight|nine';
const simple = `(?:(?:${tens})(?:[\\s-](?:${ones}))?|${Object.keys(small).join('|')})(?![\\p{L}\\p{N}])`;
const term = `(?:${simple}|half\\s+an?|an?)(?:[\\s-]+(?:${magnitudes})(?![\\p{L}\\p{N}]))+`;
const cardinal = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${term}(?:,?\\s+${term})*(?:,?\\s+(?:and\\s+)?${simple})?|${simple})(?:\\s+and\\s+a\\s+half)?(?![\\p{L}\\p{N}])`,
  'giu',
);
const fraction = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:(an?|one|two|three|four|five|seven)[\\s-])?(${Object.keys(part).join('|')})(?=\\s+(?:of|an?|the)(?![\\p{L}]))(?!\\s+an?\\s+(?:${magnitudes})))|(?<![\\p{L}\\p{N}])(one|two|three|four|five|seven)[\\s-](thirds?|quarters?|halves|fourths|fifths?|sixths?|eighths?|tenths?)(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:by|than|in)\\s+half(?![\\p{L}\\p{N}-])`,
  'giu',
);
const ordinals = new RegExp(`(?<![\\p{L}\\p{N}])(${Object.keys(ordinal).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
const multiples = new RegExp(`(?<![\\p{L}\\p{N}])(${Object.keys(multiple).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
const vague =
  /(?<![\p{L}\p{N}])(dozens|hundreds|thousands|millions|billions)(?:\s+of\s+(thousands|millions|billions))?(?![\p{L}\p{N}])/giu;

/** Numbers written in English words: cardinals, fractions ("two thirds of"), ordinals, multiples ("twice") and vague plurals ("dozens"). */
export function wordNumbers(text: string): WordNumber[] {
  const found: WordNumber[] = [];
  const add = (match: RegExpExecArray, kind: WordNumber['kind'], value: number): void => {
    const [start, end] = [match.index, match.index + match[0].length];
    if (!found.some((other) => start < other.end && other.start < end)) found.push({ start, end, kind, value });
  };
  for (const match of text.matchAll(fraction)) {
    const count = (match[1] ?? match[3] ?? 'a').toLowerCase();
    const of = (match[2] ?? match[4] ?? 'half').toLowerCase();
    add(match, 'ratio', (small[count] ?? 1) / (part[of] ?? 2));
  }
  for (const match of text.matchAll(vague)) add(match, 'vague', NaN);
  for (const match of text.matchAll(multiples)) add(match, 'times', multiple[match[0].toLowerCase()] ?? NaN);
  for (const match of text.matchAll(cardinal)) add(match, 'number', cardinalValue(match[0]));
  for (const match of text.matchAll(ordinals))
    if (isOrdinal(text, match)) add(match, 'ordinal', ordinal[match[0].toLowerCase()] ?? NaN);
  return found.sort((a, b) => a.start - b.start);
}

/** "per second", "a second", "each second" are time. */
function isOrdinal(text: string, match: RegExpExecArray): boolean {
  return (
    match[0].toLowerCase() !== 'second' ||
    !/(?:\b(?:per|an?|each|every|split|half)|\d|\/)[\s-]*$/i.test(leadIn(text, match.index))
  );
}

/** "one hundred and twenty" → 120, "two and a half" → 2.5, "half a million" → 500,000. */
function cardinalValue(phrase: string): number {
  let total = 0;
  let group = 0;
  const tail = /\s+and\s+a\s+half$/i;
  for (const word of phrase
    .replace(tail, '')
    .toLowerCase()
    .split(/[\s,-]+/)) {
    const size = magnitude[word];
    if (word === 'half') group = 0.5;
    else if (size === undefined) group += small[word] ?? 0;
    else if (size < 1000) group = (group || 1) * size;
    else {
      total += (group || 1) * size;
      group = 0;
    }
  }
  return total + group + (tail.test(phrase) ? 0.5 : 0);
}
