import { stem, words } from '../text/words.ts';
import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';

/** Share of a statement's words of meaning that its source must hold; the rest may be other words for the same. */
const requiredShare = 0.75;

/** The words of meaning of a statement, figures and dates aside, must be covered by the sentences quoted from and their headings. */
export function checkContent(statement: Reading, premise: Premise): Finding | null {
  const { share, missing } = coverage(statement, premise);
  if (share >= requiredShare) return null;
  return fails(
    `only ${Math.round(share * 100)} % of the statement is in the source; ${shown(spelt(missing[0] ?? '', statement.text))} is not`,
  );
}

/** The statement's distinct content stems, those that the source lacks, and the share that it has (0–1; 1 if there are no stems). */
export function coverage(
  statement: Reading,
  premise: Pick<Premise, 'quoted' | 'context'>,
): { share: number; told: string[]; missing: string[] } {
  const told = [...new Set(statement.clauses.flatMap((clause) => [...clause.stems]))];
  const source = new Set(words(`${premise.quoted.text}\n${premise.context.text}`).map(stem));
  const missing = told.filter((one) => !source.has(one) && !hasRelative(one, source) && !hasKin(one, source));
  return { share: told.length === 0 ? 1 : 1 - missing.length / told.length, told, missing };
}

/** The first word with a stem as the text spells it: "chimneys" for "chimnei". */
export function spelt(stemmed: string, text: string): string {
  const found = Array.from(text.matchAll(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu), ([word]) => word);
  return found.find((word) => words(word).map(stem).includes(stemmed)) ?? stemmed;
}

/** "inclusion" beside "include": the same beginning, at least five letters and most of the longer stem. */
export function hasRelative(one: string, source: ReadonlySet<string>): boolean {
  if (one.length < 5) return false;
  for (const other of source) {
    const needed = Math.max(5, Math.ceil(0.75 * Math.max(one.length, other.length)));
    if (other.length >= needed && one.slice(0, needed) === other.slice(0, needed)) return true;
  }
  return false;
}

/** Words that say the same, or whose sense another rule checks (polarity, modality, rates). */
const kin = [
  'allow allowed permit permitted prohibit prohibited forbid forbidden ban banned disallow disallowed',
  'required mandatory compulsory obligatory must',
  'hour hourly',
  'day daily',
  'week weekly',
  'month monthly',
  'year yearly annual annually annum',
  'percent percentage',
  'maximum limit cap ceiling exceed',
].map((line) => new Set(line.split(' ').map(stem)));

/** Whether the source has a word of the same group. */
export function hasKin(one: string, source: ReadonlySet<string>): boolean {
  return kin.some((group) => group.has(one) && [...group].some((other) => source.has(other)));
}
