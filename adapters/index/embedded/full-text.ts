import { words } from '../../../domain/text/words.ts';
import { bigramsIn, codesIn } from '../question-terms.ts';

/** What the full-text table holds of a passage: four columns of words parted by spaces. */
export interface FullTextColumns {
  body: string;
  context: string;
  codes: string;
  grams: string;
}

export function fullTextColumns(text: string, context: string): FullTextColumns {
  const both = `${context}\n${text}`;
  return {
    body: words(text).join(' '),
    context: words(context).join(' '),
    codes: codesIn(both).map(hexadecimal).join(' '),
    grams: bigramsIn(both).join(' '),
  };
}

/** A code between two digits and in hexadecimal, because the tokenizer would cut it at its joints and stem its end. */
export function hexadecimal(code: string): string {
  return `0${Buffer.from(code).toString('hex')}0`;
}
