import { isStopWord, words } from '../text/words.ts';

/** A word of a text that counts when a statement is held against its source word by word. */
export interface SaidWord {
  /** As the text spells it. */
  spelling: string;
  /** What is compared: the word without its plural or verb -s, `be` or `was` for their forms, digits for small numbers in words. */
  form: string;
  kind: 'meaning' | 'preposition' | 'grammar';
}

const among = (list: string): Set<string> => new Set(list.split(/\s+/));
/** Say nothing that may not be added or left out. */
const silent = among('a an the this that these those and also please do does did there so then thus');
const forms = new Map<string, string>([
  ...[...among('am is are been being')].map((word) => [word, 'be'] as const),
  ['were', 'was'] as const,
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, n) => [word, `${n}`] as const),
]);
const prepositions = among(
  `about above across after against along among around at before behind below beneath beside between beyond by down during for from in inside
into near of off on onto out outside over past since through throughout to toward towards under until up upon via with within without`,
);
const token = /[\p{L}\p{N}]+(?:['’]\p{L}+)?|%/gu;

export function saidWords(text: string): SaidWord[] {
  return Array.from(text.matchAll(token), ([raw]) => raw).flatMap((raw) =>
    plain(raw)
      .filter((word) => !silent.has(word))
      .map((word) => ({
        spelling: raw === '%' || word === words(raw).join('') ? raw : word,
        form: forms.get(word) ?? singular(word),
        kind: kindOf(word),
      })),
  );
}

/** The words of a token, contracted negations spelt out. */
function plain(raw: string): string[] {
  if (raw === '%') return ['percent'];
  const negated = /^(?:(can)not|(\p{L}+)n['’]t)$/iu.exec(raw);
  if (!negated) return words(raw);
  const verb = (negated[1] ?? negated[2] ?? '').toLowerCase();
  return [{ ca: 'can', wo: 'will', sha: 'shall' }[verb] ?? verb, 'not'];
}

function kindOf(word: string): SaidWord['kind'] {
  if (prepositions.has(word)) return 'preposition';
  const isNumber = /^\d+$/.test(forms.get(word) ?? '');
  return isStopWord(word) && !isNumber ? 'grammar' : 'meaning';
}

/** Stems of the index would take "universe" for "university" and "opened" for "opens". */
function singular(word: string): string {
  if (word === 'news' || !/^[a-z]{3,}s$/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=x|ch|sh|ss|zz)es$/, '')
    .replace(/s$/, '');
}
