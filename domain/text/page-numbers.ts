import { wordNumbers } from './number-words.ts';

const germanNumbers = [
  'eins',
  'zwei',
  'drei',
  'vier',
  'fünf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
  'elf',
  'zwölf',
];
const hanNumbers = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

const ones = 'one|two|three|four|five|six|seven|eight|nine';
const teens = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const tens = `(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\\s-](?:${ones}))?`;

/** A page's number in digits or in English or German words, up to 9999; not the beginning of a decimal, a date or a code. */
export const pageNumber = `(?:\\d{1,4}(?![.,:/]\\d)|${tens}|${teens}|${ones}|${germanNumbers.join('|')})(?!\\p{N}|_|-\\p{L}|(?!ff?\\b)\\p{L})`;

/** A page's number in digits or as one Chinese numeral. */
export const hanPageNumber = `(?:\\d{1,4}|[${hanNumbers.join('')}])`;

const ordinals = [
  ['first', 'erste', 'première', 'primera'],
  ['second', 'zweite', 'deuxième', 'segunda'],
  ['third', 'dritte', 'troisième', 'tercera'],
  ['fourth', 'vierte', 'quatrième', 'cuarta'],
  ['fifth', 'fünfte', 'cinquième', 'quinta'],
  ['sixth', 'sechste', 'sixième', 'sexta'],
  ['seventh', 'siebte', 'septième', 'séptima'],
  ['eighth', 'achte', 'huitième', 'octava'],
  ['ninth', 'neunte', 'neuvième', 'novena'],
  ['tenth', 'zehnte', 'dixième', 'décima'],
];

/** "third", "3rd", "dritten", "3.", "3e". */
export const pageOrdinal = `(?:(?:${ordinals.flat().join('|')})[nrms]?|\\d{1,4}(?:st|nd|rd|th|\\.|e|[eè]me|ª))`;

/** The number that a `pageNumber`, `hanPageNumber` or `pageOrdinal` stands for; NaN for anything else. */
export function pageValue(raw: string): number {
  const word = raw.toLowerCase();
  if (/^\d/.test(word)) return Number.parseInt(word, 10);
  const german = germanNumbers.indexOf(word);
  if (german >= 0) return german + 1;
  const han = hanNumbers.indexOf(word);
  if (han >= 0) return han + 1;
  const ordinal = ordinals.findIndex((forms) => forms.some((form) => word === form || word.slice(0, -1) === form));
  return ordinal >= 0 ? ordinal + 1 : (wordNumbers(word)[0]?.value ?? NaN);
}
