import { detectLanguage } from '../text/language.ts';
import { isSpellingVariant } from '../text/spelling-variants.ts';
import { contentStems, isStopWord, stem, words } from '../text/words.ts';

/** A question as it is compared word by word. */
export interface WordedQuestion {
  stems: ReadonlySet<string>;
  /** Stems, in order, of all words but those that paraphrases drop first. */
  frame: readonly string[];
  /** Of the frame, the words that carry no meaning: differing ones tell at once that frames differ. */
  glue: string;
  /** Years, other numbers, days and months, names: whoever has another one asks something else, whatever the frame. */
  values: readonly ReadonlySet<string>[];
}

const frameless = new Set('a an the is are was were be been am do does did has have had'.split(' '));
const sameQuestionWord: ReadonlyMap<string, string> = new Map([['which', 'what']]);
/** Without May, which is more often a verb. */
const calendar = new Set(
  `monday tuesday wednesday thursday friday saturday sunday
  january february march april june july august september october november december`
    .split(/\s+/)
    .map(stem),
);

export function wordedQuestion(text: string): WordedQuestion {
  const all = words(text);
  const numbers = all.filter((word) => /^\d+$/.test(word)).map((word) => word.replace(/^0+(?=\d)/, ''));
  const isYear = (number: string) => /^(?:19|20)\d\d$/.test(number);
  const stems = new Set(contentStems(text));
  const frame = all
    .filter((word) => !frameless.has(word))
    .map((word) => sameQuestionWord.get(word) ?? (isStopWord(word) ? word : stem(word)));
  return {
    stems,
    frame,
    glue: frame.filter((word) => !stems.has(word)).join(' '),
    values: [
      new Set(numbers.filter(isYear)),
      new Set(numbers.filter((number) => !isYear(number))),
      new Set(all.map(stem).filter((word) => calendar.has(word))),
      new Set(namesOf(text)),
    ],
  };
}

/**
 * Whether two questions, however near their vectors, ask for different things: each has a value that the other lacks, or they are one frame with
 * other words in it (geese or swans, gate or door). Synonyms in one frame count as different: to hide a question is worse than to list it twice.
 */
export function asksForOther(a: WordedQuestion, b: WordedQuestion): boolean {
  return otherValues(a, b) || sameFrame(a, b);
}

function otherValues(a: WordedQuestion, b: WordedQuestion): boolean {
  return a.values.some((values, kind) => lacksOne(b, values) && lacksOne(a, b.values[kind] ?? new Set()));
}

function lacksOne({ stems, values }: WordedQuestion, others: ReadonlySet<string>): boolean {
  return [...others].some((value) => !stems.has(value) && !values.some((own) => own.has(value)));
}

function sameFrame(a: WordedQuestion, b: WordedQuestion): boolean {
  if (a.glue !== b.glue) return false;
  const own = withoutVariants(a.stems.difference(b.stems), b.stems);
  if (own.size === 0) return false;
  const others = withoutVariants(b.stems.difference(a.stems), a.stems);
  return others.size > 0 && gapped(a, own) === gapped(b, others);
}

function withoutVariants(stems: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...stems].filter((one) => ![...others].some((other) => isSpellingVariant(one, other))));
}

/** The frame with gaps for a question's own words; of the shared ones only where they stand, since they may be spelt differently. */
function gapped({ stems, frame }: WordedQuestion, own: ReadonlySet<string>): string {
  const signs = frame.map((word) => (own.has(word) ? '_' : stems.has(word) ? '=' : word));
  return signs.filter((sign, n) => sign !== '_' || signs[n - 1] !== '_').join(' ');
}

/** Stems of words with a capital inside an English sentence that is not in title case; words all in capitals may be short for others. */
function namesOf(text: string): string[] {
  if (detectLanguage(text) !== 'en') return [];
  const found = [...text.matchAll(/(?<!^\P{L}*|[.?!:]\s*)(?<![\p{L}\p{N}\-/])\p{Lu}\p{Ll}+/gu)].map(([name]) => name);
  const carrying = words(text).filter((word) => !isStopWord(word));
  return found.length * 2 > carrying.length + 1 ? [] : found.flatMap((name) => contentStems(name));
}
