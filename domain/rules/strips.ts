import type { Analysis } from '../contracts/question.ts';
import type { Strip } from '../contracts/document.ts';
import type { KeptStrip } from '../contracts/evidence.ts';
import type { Policy } from '../contracts/policy.ts';
import { hasUnspacedScript } from '../text/words.ts';
import {
  cosine,
  coverage,
  identifiersFound,
  kindMatch,
  stemSet,
  stripScore,
  stripStems,
  termWeights,
  vectorsApply,
} from './relevance.ts';

export interface StripPassage {
  id: string;
  documentId: string;
  start: number;
  text: string;
  context: string;
  /** Aspects that the passage was graded relevant for; for the others a strip must be better to be kept. */
  supports: string[];
  strips: Strip[];
  stripVectors: Float32Array[] | null;
}

/** A sentence that begins so leans on the one before it. */
const leansBack =
  /^(?:it|its|they|their|them|this|that|these|those|he|she|his|her|such|otherwise|however|in that case|if so)\b/i;

/**
 * Scores every strip of the passages against every aspect and keeps those that reach the threshold for an aspect, best first. A sentence that leans on the one before it takes that one along (the kept span then begins earlier).
 */
export function selectStrips(
  passages: StripPassage[],
  question: { analysis: Analysis; vectors: Float32Array[] },
  refine: Policy['refine'],
): KeptStrip[] {
  const applies = vectorsApply(question.analysis.language);
  const backgrounds = passages.map((passage) => stemSet(`${passage.context}\n${passage.text}`));
  const weights = question.analysis.aspects.map((aspect) => termWeights(aspect, backgrounds));
  const kept: KeptStrip[] = [];

  for (const passage of passages) {
    passage.strips.forEach((strip, s) => {
      const span = withAntecedent(passage, s);
      const text = slice(passage, span);
      if (tooShort(text, strip.kind, refine.minCharacters)) return;
      const stems = stripStems(passage, strip, span);
      const found = identifiersFound(question.analysis.identifiers, `${passage.context}\n${text}`);
      const scored = question.analysis.aspects.map((aspect, a) => {
        const vector = question.vectors[a];
        const stripVector = passage.stripVectors?.[s];
        const threshold = passage.supports.includes(aspect.id) ? refine.keep : refine.keepFromPartial;
        return {
          id: aspect.id,
          threshold,
          score: stripScore({
            cosine: vector && stripVector ? cosine(vector, stripVector) : 0,
            coverage: coverage(weights[a] ?? new Map<string, number>(), stems),
            kind: kindMatch(aspect.text, text),
            vectorsApply: applies,
            identifiers: found,
            borrowedSubject: aspect.subject !== null,
          }),
        };
      });
      const reached = scored.filter(({ score, threshold }) => score >= threshold);
      if (reached.length === 0) return;
      kept.push({
        evidenceId: passage.id,
        documentId: passage.documentId,
        start: span.start,
        end: span.end,
        score: Math.round(Math.max(...reached.map(({ score }) => score)) * 1000) / 1000,
        aspects: reached.map(({ id }) => id),
      });
    });
  }
  return withoutRepeats(kept.sort((a, b) => b.score - a.score || a.start - b.start));
}

/** Keeps the strongest strips whose tokens fit the budget; a strip is never cut. Returns what was dropped as a count. */
export function withinBudget(
  strips: KeptStrip[],
  tokens: (strip: KeptStrip) => number,
  budget: number,
): { kept: KeptStrip[]; dropped: number; tokens: number } {
  const kept: KeptStrip[] = [];
  let used = 0;
  for (const strip of strips) {
    const size = tokens(strip);
    if (used + size > budget) continue;
    kept.push(strip);
    used += size;
  }
  return { kept, dropped: strips.length - kept.length, tokens: used };
}

function withAntecedent(passage: StripPassage, index: number): { start: number; end: number } {
  const strip = passage.strips[index];
  if (!strip) throw new RangeError(`passage ${passage.id} has no strip ${index}`);
  const before = passage.strips[index - 1];
  const text = slice(passage, strip);
  if (
    strip.kind === 'sentence' &&
    before?.kind === 'sentence' &&
    leansBack.test(text) &&
    strip.start - before.end <= 2
  ) {
    return { start: before.start, end: strip.end };
  }
  return { start: strip.start, end: strip.end };
}

function slice(passage: StripPassage, span: { start: number; end: number }): string {
  return passage.text.slice(span.start - passage.start, span.end - passage.start);
}

function tooShort(text: string, kind: Strip['kind'], minCharacters: number): boolean {
  if (kind === 'row' || kind === 'item' || hasUnspacedScript(text)) return false;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minCharacters;
}

/** Overlapping passages hold the same strip twice; the better scored one stays. */
function withoutRepeats(strips: KeptStrip[]): KeptStrip[] {
  const kept: KeptStrip[] = [];
  for (const strip of strips) {
    const inside = kept.some(
      (other) => sameSource(other, strip) && strip.start >= other.start && strip.end <= other.end,
    );
    if (!inside) kept.push(strip);
  }
  return kept;
}

function sameSource(a: KeptStrip, b: KeptStrip): boolean {
  return a.documentId === b.documentId;
}
