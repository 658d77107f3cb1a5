export interface TextWindow {
  text: string;
  tokens: number;
}

/**
 * A text as consecutive pieces of at most `limit` tokens that together hold every character once: halved, and halved again, at the white
 * space nearest to the middle, or there where none is near. A text within the limit is one window.
 */
export function textWindows(text: string, limit: number, countTokens: (text: string) => number): TextWindow[] {
  const tokens = countTokens(text);
  const at = Math.trunc(text.length / 2);
  const cut = tokens <= limit ? 0 : cutNear(text, at);
  if (cut === 0) return [{ text, tokens }];
  return [text.slice(0, cut), text.slice(cut)].flatMap((half) => textWindows(half, limit, countTokens));
}

/** After the white space nearest to the middle, within half of the way to either end; never within a character. 0: it cannot be cut. */
function cutNear(text: string, middle: number): number {
  const reach = Math.trunc(middle / 2);
  for (let away = 0; away < reach; away++) {
    for (const at of [middle - away, middle + away]) if (/\s/.test(text.charAt(at - 1))) return at;
  }
  const low = text.charCodeAt(middle);
  const inside = middle > 0 && low >= 0xdc00 && low <= 0xdfff;
  if (!inside) return middle;
  if (middle > 1) return middle - 1;
  return text.length > 2 ? middle + 1 : 0;
}
