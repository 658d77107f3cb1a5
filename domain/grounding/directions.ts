import { contentStems, stem, words } from '../text/words.ts';
import { align, type Aligned } from './alignment.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** Words for the two ends of one direction. */
const opposites: [string, string][] = [
  [
    'increase increases increased increasing rise rises rose risen rising grow grows grew grown growing growth raise raises raised climb climbs climbed higher upregulated upregulation upregulate enhance enhances enhanced enhancement elevated elevate elevates gain gains gained more greater larger bigger promote promotes promoted promoting stimulates stimulate induces induce activates activate activation activated up above',
    'decrease decreases decreased decreasing fall falls fell fallen falling drop drops dropped decline declines declined declining reduce reduces reduced reducing reduction lower lowers lowered lowering downregulated downregulation downregulate diminish diminishes diminished loss losses lose loses lost less fewer smaller inhibit inhibits inhibited inhibiting inhibition suppress suppresses suppressed suppression prevents prevent impair impairs impaired deactivates deactivate down below',
  ],
  [
    'before prior earlier earliest precede precedes preceded',
    'after later latest following subsequent subsequently follow follows followed',
  ],
  ['longer longest', 'shorter shortest'],
  ['faster fastest quicker accelerates accelerated', 'slower slowest delays delayed slows slowed'],
  [
    'better best improve improves improved improvement',
    'worse worst worsen worsens worsened deteriorate deteriorates deteriorated',
  ],
  ['older oldest', 'younger youngest newer newest'],
  ['first', 'last'],
  ['most', 'least'],
  ['open opens opened opening', 'close closes closed closing shut'],
  ['start starts started begin begins began begun', 'stop stops stopped end ends ended finish finishes finished'],
  [
    'accept accepts accepted approve approves approved grant grants granted',
    'reject rejects rejected refuse refuses refused deny denies denied decline declines declined',
  ],
  ['enable enables enabled', 'disable disables disabled'],
  ['include includes included including', 'exclude excludes excluded excluding'],
  ['inside indoors internal', 'outside outdoors external'],
  ['left', 'right'],
  ['on', 'off'],
  ['win wins won', 'lose loses lost'],
  ['buy buys bought', 'sell sells sold'],
  ['import imports imported', 'export exports exported'],
  ['add adds added', 'remove removes removed'],
  ['positive positively', 'negative negatively'],
  ['maximum', 'minimum'],
  ['north northern', 'south southern'],
  ['east eastern', 'west western'],
  ['input inputs', 'output outputs'],
  ['upper', 'lower'],
  ['hot hotter hottest warm warmer', 'cold colder coldest cool cooler'],
  ['full', 'empty'],
  ['public', 'private'],
  ['mandatory compulsory required', 'optional voluntary'],
  ['active', 'inactive expired superseded'],
  ['valid', 'invalid void'],
  ['true', 'false'],
  ['yes', 'no'],
  ['male men man boys', 'female women woman girls'],
  ['day days daily daytime', 'night nights nightly nighttime'],
  ['parent parents', 'child children'],
];
const sides = opposites.map(([a, b]) => [new Set(a.split(' ')), new Set(b.split(' '))] as const);

/** What goes up may not go down: words of direction must agree with the source sentence, and so must the two sides of a comparison. English only. */
export function checkDirections(statement: Reading, premise: Premise): Finding | null {
  for (const pair of align(statement, premise.quoted)) {
    const finding = oppositeWord(pair) ?? turnedComparison(pair);
    if (finding) return finding;
  }
  return null;
}

function oppositeWord({ said, source }: Aligned): Finding | null {
  const [saidWords, sourceWords] = [words(said), words(source)];
  for (const [a, b] of sides) {
    const [saidA, saidB] = [saidWords.filter((word) => a.has(word)), saidWords.filter((word) => b.has(word))];
    const [sourceA, sourceB] = [sourceWords.filter((word) => a.has(word)), sourceWords.filter((word) => b.has(word))];
    if (saidA.length > sourceA.length && saidB.length < sourceB.length) return contradiction(saidA, sourceB);
    if (saidB.length > sourceB.length && saidA.length < sourceA.length) return contradiction(saidB, sourceA);
  }
  return null;
}

function contradiction(said: readonly string[], source: readonly string[]): Finding {
  return fails(`${shown(said.at(-1) ?? '')} is the opposite of ${shown(source.at(-1) ?? '')} in the source`);
}

/** "A is heavier than B" does not support "B is heavier than A". */
function turnedComparison({ said, source }: Aligned): Finding | null {
  const [saidSides, sourceSides] = [compared(said), compared(source)];
  if (!saidSides || !sourceSides) return null;
  const crosses = [...saidSides.before].some((one) => sourceSides.after.has(one) && !sourceSides.before.has(one));
  const crossesBack = [...saidSides.after].some((one) => sourceSides.before.has(one) && !sourceSides.after.has(one));
  return crosses && crossesBack ? fails('the two sides of the comparison are swapped') : null;
}

function compared(sentence: string): { before: Set<string>; after: Set<string> } | null {
  const match = /(?<!\p{L})(?:(\p{L}+er|more|less|worse)|(?:more|less)\s+(\p{L}+))\s+than(?!\p{L})/iu.exec(sentence);
  if (!match) return null;
  const end = match.index + match[0].length;
  const comparative = stem((match[1] ?? match[2] ?? '').toLowerCase());
  const side = (text: string): Set<string> => new Set(contentStems(text).filter((one) => one !== comparative));
  return { before: side(sentence.slice(0, match.index)), after: side(sentence.slice(end)) };
}
