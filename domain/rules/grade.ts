import type { Analysis, Aspect } from '../contracts/question.ts';
import type { Grade, GradeLabel } from '../contracts/evidence.ts';
import type { Strip } from '../contracts/document.ts';
import type { Policy } from '../contracts/policy.ts';
import {
  cosine,
  coverage,
  identifiersFound,
  passageScore,
  stemSet,
  stripStems,
  termWeights,
  vectorsApply,
} from './relevance.ts';

export interface GradablePassage {
  id: string;
  text: string;
  context: string;
  start: number;
  strips: Strip[];
  vector: Float32Array | null;
  stripVectors: Float32Array[] | null;
}

/** Grades all passages of a search against every aspect; `vectors[i]` is the query vector of `aspects[i]`. A passage without vectors is uncertain. */
export function gradePassages(
  passages: GradablePassage[],
  question: { analysis: Analysis; vectors: Float32Array[] },
  limits: Policy['grading'],
): Grade[] {
  const texts = passages.map((passage) => stemSet(`${passage.context}\n${passage.text}`));
  const weights = question.analysis.aspects.map((aspect) => termWeights(aspect, texts));
  const applies = vectorsApply(question.analysis.language);

  return passages.map((passage, p) => {
    const heuristic = trivial(passage, limits);
    if (heuristic) return heuristic;
    if (applies && (!passage.vector || !passage.stripVectors))
      return uncertain(passage.id, 'no vectors are stored for this passage');
    const found = identifiersFound(question.analysis.identifiers, `${passage.context}\n${passage.text}`);
    const strips = passage.strips.map((strip) => stripStems(passage, strip, strip));
    const scored = question.analysis.aspects.map((aspect, a) => {
      const vector = question.vectors[a];
      const share = Math.max(0, ...strips.map((strip) => coverage(weights[a] ?? new Map<string, number>(), strip)));
      const document = vector && passage.vector ? cosine(vector, passage.vector) : 0;
      const bestStrip = vector ? Math.max(0, ...(passage.stripVectors ?? []).map((strip) => cosine(vector, strip))) : 0;
      return {
        aspect,
        share,
        bestStrip,
        score: passageScore({
          document,
          bestStrip,
          coverage: share,
          vectorsApply: applies,
          identifiers: found,
          borrowedSubject: aspect.subject !== null,
        }),
      };
    });
    const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
    return {
      evidenceId: passage.id,
      score: round(best.score),
      label: labelOf(best.score, limits),
      aspects: scored.filter(({ score }) => score >= limits.relevant).map(({ aspect }) => aspect.id),
      reason: reasonFor(best, { found, missing: missingTerms(best.aspect, texts[p] ?? new Set()) }),
    };
  });
}

function labelOf(score: number, limits: { relevant: number; irrelevant: number }): GradeLabel {
  if (score >= limits.relevant) return 'relevant';
  return score < limits.irrelevant ? 'irrelevant' : 'partial';
}

function uncertain(evidenceId: string, reason: string): Grade {
  return { evidenceId, score: null, label: 'uncertain', aspects: [], reason };
}

/** Too short to be evidence: fewer letters and digits than the policy's minimum (an ideograph counts for three). */
function trivial(passage: GradablePassage, limits: Policy['grading']): Grade | null {
  const letters = passage.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const ideographs = passage.text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (letters + 2 * ideographs >= limits.minCharacters) return null;
  // A short table row or list item is still evidence when its strips say so; only what has no strips at all is dropped unseen.
  if ((passage.stripVectors?.length ?? 0) > 0 && letters > 0) return null;
  return { evidenceId: passage.id, score: 0, label: 'irrelevant', aspects: [], reason: 'too short to be evidence' };
}

function reasonFor(
  best: { share: number; bestStrip: number },
  facts: { found: 'none_asked' | 'all' | 'missing'; missing: string[] },
): string {
  if (facts.found === 'missing') return 'lacks an identifier that the question names';
  const similarity = best.bestStrip > 0 ? `best sentence ${best.bestStrip.toFixed(2)}` : 'words only';
  const words = `${Math.round(best.share * 100)} % of the question's words`;
  return facts.missing.length > 0
    ? `${similarity}, ${words}; not here: ${facts.missing.slice(0, 6).join(', ')}`
    : `${similarity}, ${words}`;
}

function missingTerms(aspect: Aspect, text: ReadonlySet<string>): string[] {
  return aspect.terms.filter((term) => !text.has(term));
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
