import type { ComparedRun, Comparison } from '../domain/contracts/comparison.ts';
import type { QuestionView } from './question-view.ts';

/** As `GET /v1/questions/{id}/comparison` returns it. */
export type RunComparison = { ids: { first: string; second: string } } & Comparison;

/** A question as one side of a comparison. */
export function comparedRun(view: QuestionView): ComparedRun {
  const { question, status } = view;
  const without = { question, status, reason: null, usage: null, outcome: null };
  switch (view.status) {
    case 'running':
    case 'awaiting_review':
      return { ...without, usage: view.progress === 'available' ? view.usage : null };
    case 'failed':
      return { ...without, reason: view.reason, usage: view.usage };
    case 'cancelled':
      return without;
    default:
      return { question, status, reason: view.reason, usage: view.usage, outcome: view };
  }
}
