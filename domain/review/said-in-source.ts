import { shown } from '../grounding/rule.ts';
import { saidWords, type SaidWord } from './said-words.ts';

/**
 * Why a source does not say a statement in its own words, or null. Stricter than the rules for drafts, which let a paraphrase through: every word of the
 * statement must stand in the source, in the same order, and what restricts the source may not be left out. Only an active and a passive sentence and
 * "the sum of an invoice" and "the invoice sum" may stand for each other. A true sentence in other words is refused: a person can vouch for it.
 * @param orders the words of the source as they may be read: a list item before or after what leads to it
 */
export function unsaid(statement: string, orders: readonly string[]): string | null {
  if (!statement.endsWith('?') && orders.some((one) => one.endsWith('?'))) return 'the source only asks it';
  const source = orders.map(saidWords);
  const said = saidWords(statement);
  const missing = missingFrom(
    said.filter(({ kind }) => kind === 'meaning'),
    source,
  );
  if (missing !== null) return missing;
  const objections: string[] = [];
  for (const words of source) {
    for (const [mine, theirs] of readings(said, words)) {
      const objection = firstGap(mine, theirs);
      if (objection === null) return null;
      objections.push(objection);
    }
  }
  return missingFrom(said, source) ?? objections.find((one) => one !== inAnotherOrder) ?? inAnotherOrder;
}

const inAnotherOrder = 'its words stand in another order in the source';

function missingFrom(said: readonly SaidWord[], source: readonly SaidWord[][]): string | null {
  const held = new Set(source.flat().map(({ form }) => form));
  const missing = said.find(({ form }) => !held.has(form));
  return missing === undefined ? null : `${shown(missing.spelling)} is not in the sentence of the source`;
}

/** As they stand, both in the active voice, and with one "A of B" as "B A". */
function readings(said: SaidWord[], source: SaidWord[]): [SaidWord[], SaidWord[]][] {
  const turned = [...said.keys()]
    .filter((n) => n > 0 && said[n]?.form === 'of' && n + 1 < said.length)
    .map((n): [SaidWord[], SaidWord[]] => [
      [...said.slice(0, n - 1), ...said.slice(n + 1, n + 2), ...said.slice(n - 1, n), ...said.slice(n + 2)],
      source,
    ]);
  return [[said, source], [active(said), active(source)], ...turned];
}

/** "Elmer was sued by Rauch" as "Rauch sued Elmer"; with more words it cannot be told what they belong to. */
function active(words: SaidWord[]): SaidWord[] {
  const at = words.findIndex(({ form }) => form === 'be' || form === 'was');
  const [subject, verb, by, agent] = [
    words.slice(0, at),
    words.slice(at + 1, at + 2),
    words[at + 2],
    words.slice(at + 3),
  ];
  const isPlain = [...subject, ...verb, ...agent].every(({ kind }) => kind === 'meaning');
  return at > 0 && by?.form === 'by' && isPlain ? [...agent, ...verb, ...subject] : words;
}

/** Why the statement is not the source with only harmless words left out, or null. */
function firstGap(said: readonly SaidWord[], source: readonly SaidWord[]): string | null {
  const places = placesOf(said, source);
  if (places === null) return inAnotherOrder;
  let from = 0;
  for (const place of [...places, source.length]) {
    const gap = source.slice(from, place);
    const isHarmless = from > 0 && mayBeLeftOut(gap, source[place]);
    if (gap.length > 0 && !isHarmless)
      return `${shown(gap.map(({ spelling }) => spelling).join(' '))} of the source is left out`;
    from = place + 1;
  }
  return null;
}

/** Where the words of the statement stand in the source, one after the other. */
function placesOf(said: readonly SaidWord[], source: readonly SaidWord[]): number[] | null {
  const places: number[] = [];
  for (const { form } of said) {
    const place = source.findIndex((word, n) => n > (places.at(-1) ?? -1) && word.form === form);
    if (place < 0) return null;
    places.push(place);
  }
  return places;
}

/** "Since May" at the end restricts nothing, "each" says how a sum is meant, and "the fee is for members" is what "the fee for members" rests on. */
function mayBeLeftOut(gap: readonly SaidWord[], next: SaidWord | undefined): boolean {
  const [first, ...rest] = gap;
  if (first?.form === 'be') return rest.length === 0 && next?.kind === 'preposition';
  if (next !== undefined) return false;
  if (first?.form !== 'since') return first?.form === 'each' && rest.length === 0;
  return rest.every(({ kind, form }) => kind === 'meaning' || form === 'may');
}
