import type { ScoredStrip, StripPassage } from '../rules/strips.ts';
import type { FencedDocument } from './fence.ts';
import { stripLabel } from './strip-answer.ts';

/** Strips as numbered lines under their documents. */
export interface StripList {
  documents: FencedDocument[];
  /** `s1` is the first of these. */
  numbered: ScoredStrip[];
}

/**
 * The strips in the order of the passages, each on a line of its own with its number; a table's header row stands once before its rows. A strip that
 * lies in two overlapping passages is listed once.
 */
export function listStrips(scored: readonly ScoredStrip[]): StripList {
  const numbered: ScoredStrip[] = [];
  const seen = new Set<string>();
  const lines = new Map<StripPassage, { header: string | null; lines: string[] }>();
  for (const candidate of scored) {
    const { passage, strip } = candidate;
    const place = `${strip.start}:${strip.end}:${passage.documentId}`;
    if (seen.has(place)) continue;
    seen.add(place);
    const page = lines.get(passage) ?? { header: null, lines: [] };
    lines.set(passage, page);
    const header = strip.header?.text ?? null;
    if (header !== null && header !== page.header) page.lines.push(oneLine(header));
    page.header = header;
    page.lines.push(`[${stripLabel(numbered.length)}] ${oneLine(textOf(candidate))}`);
    numbered.push(candidate);
  }
  const documents = [...lines].map(([passage, page], index) => ({
    id: `d${index + 1}`,
    context: oneLine(passage.context),
    text: page.lines.join('\n'),
  }));
  return { documents, numbered };
}

function textOf({ passage, strip }: ScoredStrip): string {
  return passage.text.slice(strip.start - passage.start, strip.end - passage.start);
}

/** A text that looks like the number of a strip is none. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\[(?=\s*s\s*\d)/gi, '(');
}
