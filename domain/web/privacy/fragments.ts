import type { Finding, PrivateKind } from './finding.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** What the check took out of the question of which a query is a form, the kind to be told first, and what it left of it. Digits are ASCII. */
export interface AskedQuestion {
  taken: readonly { kind: PrivateKind; text: string }[];
  left: string;
}

/** So many letters or digits in a row tell something of the value that they come from; of a script without spaces, fewer. */
const telling = { spaced: 3, unspaced: 2 };
/** A word that has so many letters, or digits, in a row with a value holds a part of it, whatever else it holds. */
const shared = { signs: 4, digits: 3 };
/** Longer rows are found as several that overlap. In signs. */
const longestRow = 32;

/**
 * Parts of what was taken out of the question, however a rewriter has split, joined or reordered them: a word or group of digits of a value, any three
 * signs of it in a row, and words that hold such. Words that stand elsewhere in the question are the asker's own. The text's digits must be ASCII.
 * For what was taken out because it stands in a passage see `borrowedWords`.
 */
export function fragments(text: string, { taken, left }: AskedQuestion): Finding[] {
  const values = new Map<string, PrivateKind>();
  for (const { kind, text: value } of taken) if (kind !== 'private_span' && !values.has(value)) values.set(value, kind);
  if (values.size === 0) return [];
  const remaining = piecesOf(left);
  const own = new Set(remaining.filter(({ unspaced }) => !unspaced).flatMap(({ spellings }) => spellings));
  const pieces = piecesOf(text).map((piece) => ({ ...piece, own: piece.spellings.some((word) => own.has(word)) }));
  const rest = remaining.map(({ spellings: [plain], joins }) => (joins ? plain : ` ${plain}`)).join('');
  return [...values].flatMap(([value, kind]) =>
    formsOf(value).flatMap((form) =>
      [...holders(pieces, form), ...rows(pieces, form, rest)].map(({ start, end }) => ({ kind, start, end })),
    ),
  );
}

interface Form {
  /** All letters and digits of a value, without what stands between. */
  compact: string;
  /** Its words, and of words such as CL88412 the letters and the digits, long ones first. */
  parts: readonly string[];
  grams: ReadonlySet<string>;
}

/** A value in plain spelling and, where it differs, in the German one. */
function formsOf(value: string): Form[] {
  const spellings = piecesOf(value).map((piece) => piece.spellings);
  const [plain, german] = [spellings.map(([word]) => word), spellings.map(([, word]) => word)];
  return (plain.join(' ') === german.join(' ') ? [plain] : [plain, german]).map((words) => {
    const compact = words.join('');
    const parts = [...new Set(words.flatMap((word) => [word, ...runsOf(word)]))].sort((a, b) => b.length - a.length);
    return { compact, parts, grams: new Set(gramsOf(compact)) };
  });
}

type OwnedPiece = Piece & { own: boolean };

/** Single words that are a part of a value, or hold one. */
function holders(pieces: readonly OwnedPiece[], form: Form): Piece[] {
  return pieces.filter(
    ({ own, unspaced, spellings }) => !own && !unspaced && spellings.some((word) => holdsPart(word, form)),
  );
}

function holdsPart(word: string, { compact, parts, grams }: Form): boolean {
  if (parts.includes(word)) return true;
  if (word.length < telling.spaced) return false;
  if (compact.includes(word) || gramsOf(word).some((gram) => grams.has(gram))) return true;
  if (runsOf(word).some((run) => run.length >= telling.spaced && parts.includes(run))) return true;
  return parts.filter((part) => part.length > 1).reduce((left, part) => left.replaceAll(part, ''), word) === '';
}

/** Words in a row that make a part of a value once what stands between them is dropped: "411 1111", "ja na.no vak". `rest`: the question without values. */
function rows(pieces: readonly OwnedPiece[], { compact }: Form, rest: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const [index, { start }] of pieces.entries()) {
    for (const n of [0, 1] as const) {
      let row = '';
      let last = index;
      for (let at = index; at < pieces.length && row.length < longestRow; at += 1) {
        const piece = pieces[at];
        const next = piece?.spellings[n] ?? '';
        if ((piece?.own && next.length >= telling.spaced) || !compact.includes(row + next)) break;
        row += next;
        last = at;
      }
      const covered = pieces.slice(index, last + 1);
      const unspaced = covered.some((piece) => piece.unspaced);
      const tells = row.length >= (unspaced ? telling.unspaced : telling.spaced) && covered.some(({ own }) => !own);
      if (tells && !(unspaced && rest.includes(row))) found.push({ start, end: covered.at(-1)?.end ?? start });
    }
  }
  return found;
}

/** Letters and digits of a word that has both. */
function runsOf(word: string): string[] {
  return word.match(/\p{N}+|\P{N}+/gu) ?? [];
}

function gramsOf(word: string): string[] {
  return Array.from({ length: word.length }, (_, at) => at).flatMap((at) => {
    const [signs, digits] = [word.slice(at, at + shared.signs), word.slice(at, at + shared.digits)];
    return [
      ...(signs.length === shared.signs ? [signs] : []),
      ...(digits.length === shared.digits && /^\d+$/.test(digits) ? [digits] : []),
    ];
  });
}
