import type { Span } from '../text/sentences.ts';

/** Tokenizers count an unbroken run of 100 characters or more as one unknown token; a floor in characters keeps such text from growing without end. */
const charactersPerToken = 10;

const words = new Intl.Segmenter('en', { granularity: 'word' });
/** How far before the wanted place a word boundary is looked for. */
const boundaryReach = 120;

/** Tokens of a text, at least one per ten characters. */
export function tokensOf(text: string, countTokens: (text: string) => number): number {
  return Math.max(countTokens(text), Math.ceil(text.length / charactersPerToken));
}

/** Whether a text is sure to exceed a number of tokens without counting them. */
export function surelyLonger(text: string, tokens: number): boolean {
  return text.length > tokens * charactersPerToken;
}

/**
 * Cuts `text` into trimmed spans of at most `maxTokens` each, at line ends if there are any near, else at word boundaries
 * (those of `Intl.Segmenter`, for scripts without spaces). Nothing but white space is left out.
 */
export function cutAtWords(text: string, maxTokens: number, countTokens: (text: string) => number): Span[] {
  const spans: Span[] = [];
  let start = skipSpace(text, 0);
  while (start < text.length) {
    let end = boundaryBefore(text, start, start + Math.min(text.length - start, maxTokens * charactersPerToken));
    for (;;) {
      const tokens = tokensOf(text.slice(start, end), countTokens);
      if (tokens <= maxTokens || end - start <= 2) break;
      const size = Math.min(end - start - 1, Math.floor(((end - start) * maxTokens) / tokens));
      end = boundaryBefore(text, start, start + Math.max(1, size));
    }
    const trimmed = text.slice(start, end).trimEnd();
    spans.push({ start, end: start + trimmed.length });
    start = skipSpace(text, end);
  }
  return spans;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/**
 * In the stretch before `wanted`: the last line end, else the last white space, else the last word boundary, else `wanted` itself
 * (beside a surrogate pair, not inside). Always after `start`.
 */
function boundaryBefore(text: string, start: number, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const from = Math.max(start + 1, wanted - boundaryReach);
  const stretch = text.slice(from, wanted + 1);
  const space = stretch.includes('\n') ? stretch.lastIndexOf('\n') : stretch.search(/\s\S*$/);
  if (space >= 0) return from + space;
  let best = 0;
  for (const { index } of words.segment(text.slice(from, wanted + boundaryReach)))
    if (from + index <= wanted) best = index;
  if (best > 0) return from + best;
  if (!splitsPair(text, wanted)) return wanted;
  return wanted - 1 > start ? wanted - 1 : wanted + 1;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
