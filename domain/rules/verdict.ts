import type { Aspect } from '../contracts/question.ts';
import type { Conflict, EvidenceQuality, Grade, Verdict } from '../contracts/evidence.ts';
import type { Policy } from '../contracts/policy.ts';

/**
 * `any-above` (Yan et al., Corrective RAG, 2024): one passage at or over `correct` makes CORRECT; all below `incorrect`, or none at all,
 * INCORRECT; the rest AMBIGUOUS. A passage that could not be graded counts as neither.
 */
export function decideVerdict(grades: Grade[], rule: Policy['verdict']): Verdict {
  if (grades.some((grade) => grade.score !== null && grade.score >= rule.correct)) return 'CORRECT';
  if (grades.every((grade) => grade.score !== null && grade.score < rule.incorrect)) return 'INCORRECT';
  return 'AMBIGUOUS';
}

/** How well the evidence covers what was asked: an aspect is covered when a relevant passage supports it. */
export function assessQuality(aspects: Aspect[], grades: Grade[], conflicts: Conflict[]): EvidenceQuality {
  return qualityOf(aspects, coveredAspects(grades), conflicts);
}

/** Ids of the aspects that a relevant passage supports. */
export function coveredAspects(grades: Grade[]): Set<string> {
  return new Set(grades.filter((grade) => grade.label === 'relevant').flatMap((grade) => grade.aspects));
}

/** The same from the ids of the aspects that are covered. */
export function qualityOf(aspects: Aspect[], covered: ReadonlySet<string>, conflicts: Conflict[]): EvidenceQuality {
  const missing = aspects.filter((aspect) => !covered.has(aspect.id));
  return {
    status: status(aspects.length, missing.length, conflicts.length),
    aspects: aspects.map((aspect) => aspect.text),
    missingAspects: missing.map((aspect) => aspect.text),
    conflicts,
  };
}

function status(asked: number, missing: number, conflicts: number): EvidenceQuality['status'] {
  if (missing === asked) return 'insufficient';
  if (conflicts > 0) return 'conflicting';
  return missing > 0 ? 'partial' : 'sufficient';
}
