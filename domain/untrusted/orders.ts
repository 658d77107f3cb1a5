import { sentences, type Span } from '../text/sentences.ts';
import { english, otherLanguages } from './order-patterns.ts';
import { isSpelledOut, plainReading } from './plain-reading.ts';

/** Whose text it is: a document that the house took in itself, or a page of whoever wrote it. */
export type Trust = 'own' | 'stranger';

/**
 * Whether a sentence gives orders to the program that reads it: to answer with a word, to grade, to link, to forget. Such a sentence states no fact
 * about the world; it is left out before anything is graded or written, so that no model need resist it. Known forms only.
 */
export function givesOrders(sentence: string, trust: Trust): boolean {
  const plain = plainReading(sentence);
  const lists = [english, otherLanguages];
  const patterns = lists.flatMap(({ sure, likely }) => (trust === 'own' ? sure : [...sure, ...likely]));
  return patterns.some((pattern) => pattern.test(plain)) || (trust === 'stranger' && isSpelledOut(sentence));
}

/** Whether a question is about what a text orders: then it may be told. */
export function asksAboutOrders(question: string): boolean {
  return /\b(?:instruct(?:s|ed|ions?)?|prompts?|commands?|repl(?:y|ies|ied)|respond(?:s|ed)?|(?:told|asked|ordered) to)\b/i.test(
    question,
  );
}

/** Which of some sentences give orders. One that goes on after such a one (an address was taken for two sentences) is of the same order. */
export function areOrders(inOrder: readonly string[], trust: Trust): boolean[] {
  const flags: boolean[] = [];
  for (const sentence of inOrder) {
    const goesOn = flags.at(-1) === true && /^\s*[\p{Ll}\p{N}=&/]/u.test(sentence);
    flags.push(goesOn || givesOrders(sentence, trust));
  }
  return flags;
}

/** The sentences of a text that give orders, as spans. */
function ordersIn(text: string, trust: Trust): Span[] {
  const spans = sentences(text);
  const flags = areOrders(
    spans.map(({ start, end }) => text.slice(start, end)),
    trust,
  );
  return spans.filter((_, n) => flags[n]);
}

const leftOut = '[an order to the reader was left out]';

/** A text for a model to read, the orders in it replaced by a remark. */
export function withoutOrders(text: string, trust: Trust): string {
  let from = 0;
  const pieces: string[] = [];
  for (const { start, end } of ordersIn(text, trust)) {
    const between = text.slice(from, start);
    if (pieces.at(-1) !== leftOut || between.trim() !== '') pieces.push(between, leftOut);
    from = end;
  }
  return from === 0 ? text : [...pieces, text.slice(from)].join('');
}
