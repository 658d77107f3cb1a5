import type { Span } from '../text/sentences.ts';

const boundary =
  /[;()|]|,\s|\s[–—]\s|(?<!\p{L})(?:and|or|but|while|whereas|although|though|however|because|if|when|unless|except|which|who|whose)(?!\p{L})/giu;

/** Cuts sentences into clauses at punctuation and conjunctions, but not inside of a span that belongs together ("between 10 and 12"). */
export function clauses(text: string, sentences: readonly Span[], whole: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const sentence of sentences) {
    let start = sentence.start;
    for (const match of text.slice(sentence.start, sentence.end).matchAll(boundary)) {
      const at = sentence.start + match.index;
      if (
        at <= start ||
        whole.some((span) => at >= span.start && at < span.end) ||
        joinsNumbers(whole, at, match[0].length)
      )
        continue;
      found.push({ start, end: at });
      start = at;
    }
    found.push({ start, end: sentence.end });
  }
  return found;
}

function joinsNumbers(spans: readonly Span[], at: number, length: number): boolean {
  const endsBefore = spans.some(({ end }) => end <= at && at - end <= 1);
  const startsAfter = spans.some(({ start }) => start >= at + length && start - at - length <= 1);
  return endsBefore && startsAfter;
}
