/** A word of a text with its place in it, apostrophes inside. */
export interface Token {
  text: string;
  start: number;
  end: number;
}

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}
