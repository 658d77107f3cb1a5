import type { EvidenceStore } from '../adapters/store/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Citation, Grounding, Statement } from '../domain/contracts/answer.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { ReviewSource } from '../domain/contracts/review.ts';
import { groundAnswer } from '../domain/review/answer-grounding.ts';
import { othersFirst } from './ingestion/heartbeat.ts';
import { citeAnswer } from './reviewer/cite-answer.ts';
import { step } from './step.ts';

export interface AdoptAnswerInput {
  access: Access;
  question: string;
  text: string;
  source: ReviewSource;
  /** Whether it stands although the rules do not find it in the source's text. */
  vouched: boolean;
  reviewer: string;
  /** What it weighs in a conflict, 0–100, and how long it is kept, in hours. */
  authority: number;
  keepHours: number;
}

export interface AdoptAnswerOutput {
  statements: Statement[];
  citations: Citation[];
  /** The passages cited, kept in the evidence store; origin `reviewer`. */
  evidence: EvidenceRef[];
  grounding: Grounding;
}

export interface AdoptAnswerDependencies {
  evidence: Pick<EvidenceStore, 'put'>;
}

/**
 * Takes a reviewer's answer in: its statements with citations of the text that was given as their source, which is kept as evidence, and what the
 * grounding rules say of each. Nothing is asked of a model. An answer that fails the rules is a result, not a failure.
 */
export function createAdoptAnswer({ evidence: store }: AdoptAnswerDependencies) {
  return step(async (input: AdoptAnswerInput, { signal }): Promise<AdoptAnswerOutput> => {
    const { text, source, vouched, reviewer, authority, keepHours } = input;
    const grounded = await groundAnswer({ text, sourceText: source.text, vouched, reviewer }, async () => {
      await othersFirst();
      signal.throwIfAborted();
    });
    const { tenant } = input.access;
    const readAt = new Date().toISOString();
    const cited = citeAnswer(grounded, { tenant, source, reviewer, authority, keepHours, readAt });
    const { pages, statements, citations, evidence } = cited;
    await Promise.all(pages.map(({ page, passages }) => store.put(page, passages)));
    return { statements, citations, evidence, grounding: grounded.grounding };
  });
}
