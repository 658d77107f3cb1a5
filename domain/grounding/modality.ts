import { align, type Aligned } from './alignment.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** What a sentence asks or lets happen. */
type Modality = 'must' | 'should' | 'may' | 'need not' | 'must not';

const modals: [Modality, RegExp][] = [
  [
    'need not',
    /(?<!\p{L})(?:need(?:s|ed)?\s+not|(?:do|does|did)(?:\s+not|n['’]t)\s+(?:need|have)\s+to|(?:not|n['’]t)\s+(?:required|obliged|necessary|mandatory|compulsory)|optional(?:ly)?|voluntary)(?!\p{L})/iu,
  ],
  [
    'must not',
    /(?<!\p{L})(?:(?:must|shall|can)\s+not|(?:mustn|shan)['’]t|can(?:not|['’]t)|not\s+(?:be\s+)?(?:allowed|permitted)|no\s+(?:\p{L}+\s+){1,3}(?:allowed|permitted)|prohibit(?:s|ed)?|forbid(?:s|den)?|banned|disallow(?:s|ed)?)(?!\p{L})/iu,
  ],
  [
    'must',
    /(?<!\p{L})(?:must|shall|ha(?:ve|s)\s+to|(?:is|are|be)\s+(?:required|obliged|obligatory)|required|mandatory|compulsory|need(?:s)?\s+to)(?!\p{L})/iu,
  ],
  ['should', /(?<!\p{L})(?:should(?:n['’]t)?|ought\s+to|recommend(?:s|ed)?|advis(?:ed|able)|encouraged)(?!\p{L})/iu],
  [
    'may',
    /(?<!\p{L})(?:may|might(?:n['’]t)?|could(?:n['’]t)?|can|(?:is|are|be)\s+(?:allowed|permitted|free)|allowed|permitted|possibly|perhaps|possible|potential(?:ly)?)(?!\p{L})/u,
  ],
];
/** "may cause" is no "causes": hedges that a plain statement may not drop. "can" is also plain ability. */
const hedge =
  /(?<!\p{L})(?:may|might|could|possibly|perhaps|potential(?:ly)?|likely|probably|suggests?|suspected|alleged(?:ly)?|reported(?:ly)?)(?!\p{L})/u;
/** One of these may not be added at all, the others not to "some" or "most". */
const every = /(?<!\p{L})(?:all|every|everyone|everybody|always)(?!\p{L})/iu;
const universal = /(?<!\p{L})(?:all|every|everyone|everybody|always|entirely|completely|each|whole|any)(?!\p{L})/iu;
const partly =
  /(?<!\p{L})(?:some|most|many|few|several|usually|often|sometimes|partly|partially|mostly|generally|typically|occasionally|certain)(?!\p{L})/iu;

/** Duty, advice, permission and exemption may not turn into each other, hedges may not be dropped, nor "some" become "all". English only. */
export function checkModality(statement: Reading, premise: Premise): Finding | null {
  for (const pair of align(statement, premise.quoted)) {
    const finding = checkPair(pair);
    if (finding) return finding;
  }
  return null;
}

function checkPair({ said, source, isNearCopy }: Aligned): Finding | null {
  const [saidModals, sourceModals] = [modalsOf(said), modalsOf(source)];
  if (isNearCopy) {
    const changed = saidModals.find(({ modality }, i) => modality !== sourceModals[i]?.modality);
    if (changed) return fails(`${shown(changed.words)} is not what the source asks or allows`);
    if (counted(universal, said) > counted(universal, source) && counted(partly, said) < counted(partly, source)) {
      return fails('"some" of the source is made "all"');
    }
  }
  const added = saidModals.find(({ modality }) => !sourceModals.some((other) => other.modality === modality));
  if (added && (added.modality !== 'may' || sourceModals.length > 0))
    return fails(`${shown(added.words)} is not what the source asks or allows`);
  const [dropped] = hedge.exec(source) ?? [];
  if (dropped !== undefined && saidModals.length === 0 && !hedge.test(said))
    return fails(`the reservation ${shown(dropped)} of the source is lost`);
  const [generalised] = every.exec(said) ?? [];
  if (generalised !== undefined && !universal.test(source))
    return fails(`${shown(generalised)} is more than the source says`);
  const [whole] = universal.exec(said) ?? [];
  const [part] = partly.exec(source) ?? [];
  if (whole !== undefined && part !== undefined && !universal.test(source) && !partly.test(said)) {
    return fails(`${shown(whole)} says more than ${shown(part)} in the source`);
  }
  return null;
}

/** The modal words of a sentence, in order. */
function modalsOf(sentence: string): { modality: Modality; words: string; at: number }[] {
  const found: { modality: Modality; words: string; at: number }[] = [];
  let rest = sentence;
  for (const [modality, pattern] of modals) {
    rest = rest.replace(new RegExp(pattern, `g${pattern.flags}`), (words: string, ...details: unknown[]) => {
      found.push({ modality, words, at: Number(details.find((detail) => typeof detail === 'number')) });
      return ' '.repeat(words.length);
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

function counted(pattern: RegExp, sentence: string): number {
  return sentence.match(new RegExp(pattern, `g${pattern.flags}`))?.length ?? 0;
}
