import type { Access } from '../../domain/contracts/access.ts';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { ReviewRecord, ReviewSummary } from '../../domain/contracts/review.ts';
import type { ReviewFile } from '../../domain/contracts/run.ts';
import type { RunState } from './state.ts';

/** The outcome that was to be, with all that led to it, for the person who is to decide. */
export function reviewFile(state: RunState, outcome: Outcome, record: ReviewRecord): ReviewFile {
  const { answer, statements, citations, quality } = outcome;
  return {
    ...record,
    status: outcome.status,
    message: outcome.reason?.message ?? null,
    limitation: outcome.limitation,
    missingAspects: quality.missingAspects,
    conflicts: quality.conflicts,
    ledger: outcome.ledger,
    draft: answer === null ? null : { answer, statements, citations },
    evidence: state.reviewedEvidence(),
  };
}

/** For somebody who looks at the waiting run in the Temporal UI. */
export function howToDecide({ groups }: Access, { round, reason, deadline, state }: ReviewSummary): string {
  const example = {
    requestId: 'any-new-text',
    actor: { user: 'YOUR NAME', groups, roles: ['reviewer'] },
    round,
    decision: { kind: 'confirm' },
  };
  return [
    `### Waits for a reviewer (${state})`,
    `Round ${round}, because of **${reason}**; deadline ${deadline}.`,
    'Decide with `plumbline review decide`, or here: Send an Update, `decideReview`, with this and another decision if you like',
    `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``,
  ].join('\n\n');
}
