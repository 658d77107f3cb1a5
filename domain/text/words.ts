import { stemmer } from 'stemmer';
import { foldText } from './normalise.ts';

/** Scripts written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu;
const token = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

export function hasUnspacedScript(text: string): boolean {
  return unspaced.test(text);
}

/** The words of a text, folded (NFKC, lower case), in order. Runs of a script without spaces are segmented with `Intl.Segmenter`. */
export function words(text: string): string[] {
  const folded = foldText(text);
  const found: string[] = [];
  for (const [raw] of folded.matchAll(token)) {
    if (unspaced.test(raw)) found.push(...segmentRun(raw));
    else found.push(raw.replace(/['’]s$/, '').replace(/['’]/g, ''));
  }
  return found;
}

function segmentRun(raw: string): string[] {
  const parts: string[] = [];
  let last = 0;
  for (const match of raw.matchAll(unspacedRun)) {
    if (match.index > last) parts.push(raw.slice(last, match.index));
    for (const { segment, isWordLike } of segmenter.segment(match[0])) if (isWordLike) parts.push(segment);
    last = match.index + match[0].length;
  }
  if (last < raw.length) parts.push(raw.slice(last));
  return parts;
}

/** English function words and the words that only make a sentence a question. */
const stopWords = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between both but by can could
  couldn did didn do does doesn doing don down during each either else ever few for from further get gets give given had hadn has hasn have haven
  having he her here hers herself him himself his how i if in into is isn it its itself just let like ll many may me might more most much must mustn my
  myself need neither no nor not now of off on once one only or other our ours ourselves out over own please quite rather re s same say says shall shan she should
  shouldn so some still such t tell than that the their theirs them themselves then there these they this those through to too under until up us
  use used using ve very want was wasn we were weren what when where whether which while who whom whose why will with within without won would
  wouldn yet you your yours yourself yourselves explain describe know mean means
  です ます ください なに 何 いつ どこ どれ だれ 誰 なぜ どう いくつ いくら こと もの から まで より ので のに 的 是 吗 什么 谁 哪 哪里 怎么 为什么 多少 几`.split(
    /\s+/,
  ),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Porter stem of a folded word; words outside of the Latin alphabet stay as they are. Source: M. Porter, 1980. */
export function stem(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

/** Stems of all words of a text, stop words included. */
export function stems(text: string): string[] {
  return words(text).map(stem);
}

/** Distinct stems of the words that carry meaning. Single letters and, in unspaced scripts, lone kana do not. */
export function contentStems(text: string): string[] {
  const found = new Set<string>();
  for (const word of words(text)) {
    if (stopWords.has(word)) continue;
    if (/^[a-z]$/.test(word) || /^[\u3040-\u309f]$/.test(word)) continue;
    found.add(stem(word));
  }
  return [...found];
}
