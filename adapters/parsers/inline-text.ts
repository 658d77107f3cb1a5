import { normaliseText } from '../../domain/text/normalise.ts';

const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]';
const breakBetweenUnspaced = new RegExp(`(?<=${unspaced}) *\\n *(?=${unspaced})`, 'gu');

/** Line and page separators that normalisation would delete, as plain line ends. */
function plainLineEnds(raw: string): string {
  return raw.replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n');
}

/** Running text on one line: normalised, soft line breaks as a space (as nothing between Chinese or Japanese characters), white space collapsed. */
export function inlineText(raw: string): string {
  return normaliseText(plainLineEnds(raw))
    .replace(breakBetweenUnspaced, '')
    .replace(/[ \n]+/g, ' ')
    .trim();
}

/** Preformatted text: normalised, its lines and indentation kept, empty lines around it dropped. */
export function preformattedText(raw: string): string {
  return normaliseText(plainLineEnds(raw))
    .replace(/ +$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/** A whole text document before its structure is looked for: normalised, lines kept. */
export function documentLines(raw: string): string[] {
  return normaliseText(plainLineEnds(raw)).split('\n');
}
