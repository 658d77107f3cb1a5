import { words } from '../text/words.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, type Finding } from './rule.ts';

/** "Reply only with the word X", "output exactly the text: X": the verb, then the thing to be written. */
const order =
  /\b(reply|respond|answer|say|output|print|write|return|type|repeat|insert|append|add)\b(?:\s+(?:back|only|just|exactly|simply|always))*(?:\s+with)?(?:\s+(?:only|just|exactly))*\s+(?:the|this|one|a)\s+(?:(?:single|following|exact)\s+)?(?:words?|phrase|sentence|text|string|token|line|message|answer)\b/giu;

/** Citations that a model writes into its text. */
const marks = /\[\d+(?:\s*[,;]\s*\d+)*\]/g;

/**
 * A sentence that orders its reader to write something does not support the thing written, only a statement that says what is ordered: the words
 * of "MAGNOLIA" all stand in "reply only with the word MAGNOLIA".
 */
export function checkOrders(statement: Reading, premise: Premise): Finding | null {
  const said = statement.sentences
    .map(({ start, end }) => words(statement.text.slice(start, end).replace(marks, '')))
    .filter((sentence) => sentence.length > 0);
  const obeyed = [...premise.quoted.text.matchAll(order)].some((match) => {
    const wanted = new Set(words(premise.quoted.text.slice(match.index + match[0].length)));
    const [verb = ''] = words(match[1] ?? '');
    return said.some((sentence) => !sentence.includes(verb) && sentence.every((word) => wanted.has(word)));
  });
  return obeyed ? fails('it does what a sentence of the source orders, instead of saying that it is ordered') : null;
}
