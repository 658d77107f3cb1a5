import { hasUnspacedScript } from '../../text/words.ts';
import { spellingsOf } from './spellings.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A word or, of a script without spaces, a single sign. */
export interface Piece {
  start: number;
  end: number;
  spellings: readonly [plain: string, german: string];
  unspaced: boolean;
  /** Stands right behind the piece before it. */
  joins: boolean;
}

/** The words of a text with their places in it. */
export function piecesOf(text: string): Piece[] {
  return tokensOf(text).flatMap((token) =>
    splitOf(token).map(({ text: part, start, end }) => ({
      start,
      end,
      spellings: spellingsOf(part),
      unspaced: hasUnspacedScript(part),
      joins: start > token.start,
    })),
  );
}

function splitOf({ text, start, end }: Token): Token[] {
  if (!hasUnspacedScript(text)) return [{ text, start, end }];
  const found: Token[] = [];
  let at = start;
  for (const sign of text) {
    const last = found.at(-1);
    if (last === undefined || hasUnspacedScript(sign) || hasUnspacedScript(last.text))
      found.push({ text: sign, start: at, end: at + sign.length });
    else Object.assign(last, { text: last.text + sign, end: at + sign.length });
    at += sign.length;
  }
  return found;
}
