import type { GroundingSource } from '../grounding/premise.ts';
import { stemSet } from '../rules/relevance.ts';
import type { GivenPart, GivenText } from './given-text.ts';

/** A stretch of a source that a statement is held against: as long as passages of documents are, since figures are looked for in all of it. */
export interface SourcePassage extends GroundingSource {
  end: number;
  parts: SourcePart[];
}

export interface SourcePart extends Omit<GivenPart, 'leadIn'> {
  passage: SourcePassage;
  /** Its words, and their stems. */
  text: string;
  stems: ReadonlySet<string>;
  leadIn: SourcePart | null;
}

/** About 180 tokens, as the splitter aims at. */
const characters = 900;

/** Cuts a given text between its parts. Titles are no context: whoever gives a text gives them too, and they would support anything. */
export function sourcePassages({ text, parts }: GivenText): SourcePassage[] {
  const passages: SourcePassage[] = [];
  const made = new Map<GivenPart, SourcePart>();
  for (const given of parts) {
    const passage = passageFor(given, passages);
    const words = text.slice(given.wordsFrom, given.end);
    const leadIn = given.leadIn === null ? null : (made.get(given.leadIn) ?? null);
    const part = { ...given, passage, text: words, stems: stemSet(words), leadIn };
    made.set(given, part);
    passage.parts.push(part);
    passage.end = part.end;
    passage.text = text.slice(passage.start, part.end);
  }
  return passages;
}

/** The last one where it has room, else a new one. */
function passageFor({ start, end }: GivenPart, passages: SourcePassage[]): SourcePassage {
  const last = passages.at(-1);
  if (last && end - last.start <= characters) return last;
  const next = { text: '', start, end, context: '', parts: [] };
  passages.push(next);
  return next;
}
