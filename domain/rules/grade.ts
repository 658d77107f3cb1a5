import type { Analysis, Aspect } from '../contracts/question.ts';
import type { Grade, GradeLabel } from '../contracts/evidence.ts';
import type { Strip } from '../contracts/document.ts';
import type { Policy } from '../contracts/policy.ts';
import { asksAboutOrders } from '../untrusted/orders.ts';
import { mayAnswer, otherPage, pagesAsked, termsGiven } from './pages.ts';
import { stripOrders } from './strip-orders.ts';
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
  page: number | null;
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
  const pages = question.analysis.aspects.map((aspect) => pagesAsked(aspect, question.analysis));
  const applies = vectorsApply(question.analysis.language);
  const mayTellOrders = asksAboutOrders(question.analysis.searchText);

  return passages.map((passage, p) => {
    const heuristic = trivialGrade(passage, limits) ?? otherPageGrade(passage, question.analysis);
    if (heuristic) return heuristic;
    if (applies && (!passage.vector || !passage.stripVectors))
      return uncertainGrade(passage.id, 'no vectors are stored for this passage');
    const found = identifiersFound(question.analysis.identifiers, `${passage.context}\n${passage.text}`);
    const orders = mayTellOrders ? [] : stripOrders(passage);
    if (orders.length > 0 && orders.every(Boolean)) return ordersOnly(passage.id);
    const strips = passage.strips.filter((_, s) => !orders[s]).map((strip) => stripStems(passage, strip, strip));
    const stripVectors = (passage.stripVectors ?? []).filter((_, s) => !orders[s]);
    const scored = question.analysis.aspects.map((aspect, a) => {
      const asked = pages[a] ?? null;
      if (!mayAnswer(asked, passage.page)) return { aspect, given: nothing, share: 0, bestStrip: 0, score: 0 };
      const vector = question.vectors[a];
      const given = termsGiven(asked, passage.page);
      const covered = (strip: Set<string>) => coverage(weights[a] ?? new Map<string, number>(), strip.union(given));
      const share = Math.max(0, ...strips.map(covered));
      const document = vector && passage.vector ? cosine(vector, passage.vector) : 0;
      const bestStrip = vector ? Math.max(0, ...stripVectors.map((strip) => cosine(vector, strip))) : 0;
      return {
        aspect,
        given,
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
    const missing = missingTerms(best.aspect, (texts[p] ?? new Set()).union(best.given));
    return {
      evidenceId: passage.id,
      score: roundedScore(best.score),
      label: labelOf(best.score, limits),
      aspects: scored.filter(({ score }) => score >= limits.relevant).map(({ aspect }) => aspect.id),
      reason: reasonFor(best, { found, missing }),
    };
  });
}

function ordersOnly(evidenceId: string): Grade {
  const reason = 'gives orders to its reader and states nothing';
  return { evidenceId, score: 0, label: 'irrelevant', aspects: [], reason };
}

const nothing: ReadonlySet<string> = new Set();

export function labelOf(score: number, limits: { relevant: number; irrelevant: number }): GradeLabel {
  if (score >= limits.relevant) return 'relevant';
  return score < limits.irrelevant ? 'irrelevant' : 'partial';
}

/** For a passage that could not be judged: neither relevant nor irrelevant. */
export function uncertainGrade(evidenceId: string, reason: string): Grade {
  return { evidenceId, score: null, label: 'uncertain', aspects: [], reason };
}

/** Too short to be evidence: fewer letters and digits than the policy's minimum (an ideograph counts for three). */
export function trivialGrade(passage: GradablePassage, limits: Policy['grading']): Grade | null {
  const letters = passage.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const ideographs = passage.text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (letters + 2 * ideographs >= limits.minCharacters) return null;
  // A short table row or list item is still evidence when its strips say so; only what has no strips at all is dropped unseen.
  if ((passage.stripVectors?.length ?? 0) > 0 && letters > 0) return null;
  return { evidenceId: passage.id, score: 0, label: 'irrelevant', aspects: [], reason: 'too short to be evidence' };
}

/** For a passage of another page than the ones that the question names; null for all others. */
export function otherPageGrade(
  { id, page }: Pick<GradablePassage, 'id' | 'page'>,
  analysis: Pick<Analysis, 'aspects' | 'pages'>,
): Grade | null {
  const reason = otherPage(analysis, page);
  return reason === null ? null : { evidenceId: id, score: 0, label: 'irrelevant', aspects: [], reason };
}

/** A judge's grade of a passage, kept to the aspects that the passage's page may answer. */
export function onItsPage(grade: Grade, page: number | null, analysis: Pick<Analysis, 'aspects' | 'pages'>): Grade {
  const barred = analysis.aspects
    .filter((aspect) => !mayAnswer(pagesAsked(aspect, analysis), page))
    .map(({ id }) => id);
  const aspects = grade.aspects.filter((id) => !barred.includes(id));
  if (aspects.length === grade.aspects.length) return grade;
  if (aspects.length > 0) return { ...grade, aspects };
  const reason = `on page ${page}, which what it answers is not about`;
  return { ...grade, score: 0, label: 'irrelevant', aspects, reason };
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

/** To the thousandth. */
export function roundedScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}
