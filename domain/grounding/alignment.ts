import type { Span } from '../text/sentences.ts';
import { negations } from '../text/negation.ts';
import { isStopWord, stem, words } from '../text/words.ts';

/** A sentence of the statement beside the sentence of the source that it rests on. */
export interface Aligned {
  said: string;
  source: string;
  /** Dice coefficient of their words, negations aside: 1 for the same words. */
  likeness: number;
  /** So alike that what differs is a change, not a paraphrase. */
  isNearCopy: boolean;
}

/** From here on, eight words in ten are shared. */
const nearCopy = 0.8;

/** Two sentences that share less than this part of the statement's words of meaning do not say the same, and cannot contradict each other. */
const sameSubject = 0.5;

/** Pairs each sentence of the statement with the source sentence that shares most of its words of meaning; ties go to the more alike one. */
export function align(
  statement: { text: string; sentences: readonly Span[] },
  source: { text: string; sentences: readonly Span[] },
): Aligned[] {
  const candidates = source.sentences.map(({ start, end }) => source.text.slice(start, end));
  const pairs: Aligned[] = [];
  for (const { start, end } of statement.sentences) {
    const said = statement.text.slice(start, end);
    const best = candidates
      .map((candidate) => ({ candidate, meaning: sharedMeaning(said, candidate), likeness: likeness(said, candidate) }))
      .sort((a, b) => b.meaning - a.meaning || b.likeness - a.likeness)[0];
    if (best && best.meaning > 0 && best.meaning >= sameSubject * meaningOf(said).size)
      pairs.push({ said, source: best.candidate, likeness: best.likeness, isNearCopy: best.likeness >= nearCopy });
  }
  return pairs;
}

function sharedMeaning(said: string, source: string): number {
  return meaningOf(said).intersection(new Set(words(source).map(stem))).size;
}

function meaningOf(sentence: string): Set<string> {
  return new Set(
    words(sentence)
      .filter((word) => !isStopWord(word))
      .map(stem),
  );
}

function likeness(said: string, source: string): number {
  const [a, b] = [plainWords(said), plainWords(source)];
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of a) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      both += 1;
      left.set(word, count - 1);
    }
  }
  return a.length + b.length === 0 ? 0 : (2 * both) / (a.length + b.length);
}

function plainWords(sentence: string): string[] {
  let text = sentence;
  for (const { start, end } of negations(sentence))
    text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
  return words(text).map(stem);
}
