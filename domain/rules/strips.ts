import type { Analysis } from '../contracts/question.ts';
import type { Strip } from '../contracts/document.ts';
import type { KeptStrip } from '../contracts/evidence.ts';
import type { Policy } from '../contracts/policy.ts';
import { hasUnspacedScript } from '../text/words.ts';
import { asksAboutOrders } from '../untrusted/orders.ts';
import { mayAnswer, pagesAsked, termsGiven } from './pages.ts';
import { stripOrders } from './strip-orders.ts';
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
  page: number | null;
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

/** A strip of a passage with its strength for every aspect that its page may answer, of which there is one at least. */
export interface ScoredStrip {
  passage: StripPassage;
  strip: Strip;
  /** What is quoted: the strip, or from the sentence before on, where it leans on that. */
  span: { start: number; end: number };
  aspects: { id: string; score: number; threshold: number }[];
}

/** Scores every strip of the passages that is not too short and gives no orders to its reader (unless the question is about these) against every aspect, in the passages' order. A sentence that leans on the one before it takes that one along (the quoted span then begins earlier). */
export function scoreStrips(
  passages: StripPassage[],
  question: { analysis: Analysis; vectors: Float32Array[] },
  refine: Policy['refine'],
): ScoredStrip[] {
  const applies = vectorsApply(question.analysis.language);
  const mayTellOrders = asksAboutOrders(question.analysis.searchText);
  const backgrounds = passages.map((passage) => stemSet(`${passage.context}\n${passage.text}`));
  const weights = question.analysis.aspects.map((aspect) => termWeights(aspect, backgrounds));
  const pages = question.analysis.aspects.map((aspect) => pagesAsked(aspect, question.analysis));
  const all: ScoredStrip[] = [];

  for (const passage of passages) {
    const orders = mayTellOrders ? [] : stripOrders(passage);
    passage.strips.forEach((strip, s) => {
      const span = withAntecedent(passage, s);
      const text = slice(passage, span);
      if (tooShort(text, strip.kind, refine.minCharacters)) return;
      if (orders[s]) return;
      const stems = stripStems(passage, strip, span);
      const found = identifiersFound(question.analysis.identifiers, `${passage.context}\n${text}`);
      const aspects = question.analysis.aspects.flatMap((aspect, a) => {
        const asked = pages[a] ?? null;
        if (!mayAnswer(asked, passage.page)) return [];
        const vector = question.vectors[a];
        const stripVector = passage.stripVectors?.[s];
        const threshold = passage.supports.includes(aspect.id) ? refine.keep : refine.keepFromPartial;
        const features = {
          cosine: vector && stripVector ? cosine(vector, stripVector) : 0,
          coverage: coverage(weights[a] ?? new Map<string, number>(), stems.union(termsGiven(asked, passage.page))),
          kind: kindMatch(aspect.text, text),
          vectorsApply: applies,
          identifiers: found,
          borrowedSubject: aspect.subject !== null,
        };
        return [{ id: aspect.id, threshold, score: stripScore(features) }];
      });
      if (aspects.length > 0) all.push({ passage, strip, span, aspects });
    });
  }
  return all;
}

/** Aspects for which a strip reaches the threshold. */
export function reachedAspects({ aspects }: ScoredStrip): string[] {
  return aspects.filter(({ score, threshold }) => score >= threshold).map(({ id }) => id);
}

/** The strips that reach the threshold for an aspect, best first. */
export function selectStrips(scored: ScoredStrip[]): KeptStrip[] {
  return bestFirst(
    scored.flatMap((candidate) => {
      const reached = reachedAspects(candidate);
      return reached.length > 0 ? [keptStrip(candidate, reached)] : [];
    }),
  );
}

/** A strip that is kept for the given aspects; its strength is that for the best of them, or of all where there are none. */
export function keptStrip({ passage, span, aspects }: ScoredStrip, keptFor: string[]): KeptStrip {
  const named = aspects.filter(({ id }) => keptFor.includes(id));
  const counted = named.length > 0 ? named : aspects;
  return {
    evidenceId: passage.id,
    documentId: passage.documentId,
    start: span.start,
    end: span.end,
    score: Math.round(Math.max(0, ...counted.map(({ score }) => score)) * 1000) / 1000,
    aspects: named.map(({ id }) => id),
  };
}

/** Strongest first, without those that lie within a stronger one of the same document. */
export function bestFirst(strips: KeptStrip[]): KeptStrip[] {
  return withoutRepeats(strips.sort((a, b) => b.score - a.score || a.start - b.start));
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
