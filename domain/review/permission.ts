import type { Actor, ReviewDecision, ReviewSummary } from '../contracts/review.ts';
import type { ReviewPolicy } from '../contracts/review-policy.ts';
import type { WebMode } from '../contracts/web-policy.ts';
import { refusal, type ReviewRefusal } from './refusals.ts';

/** What of a run decides who may act on its reviews. */
export interface ReviewedRun {
  policy: ReviewPolicy;
  webMode: WebMode;
  asker: { user: string; groups: string[] };
}

/** Who may not act on this review at all: no reviewer, not trusted with all that the asker may read, or not of the groups it is for. */
export function strangerRefusal(actor: Actor, { asker }: ReviewedRun, groups: readonly string[]): ReviewRefusal | null {
  if (!actor.roles.includes('reviewer'))
    return refusal('Review.NotAllowed', 'only reviewers decide; let an administrator give you the role "reviewer"');
  if (asker.groups.some((group) => !actor.groups.includes(group)))
    return refusal('Review.NotAllowed', 'only those decide who may read all that the asker may');
  if (groups.length === 0 || groups.some((group) => actor.groups.includes(group))) return null;
  return refusal('Review.NotAllowed', `this review is for ${groups.join(', ')}`);
}

/** Nobody is the judge of their own case: of a question where the policy forbids it, of a proposal never. */
export function ownInterestRefusal(
  { actor, decision }: { actor: Actor; decision: ReviewDecision },
  { policy, asker }: ReviewedRun,
  proposedBy: string | null,
): ReviewRefusal | null {
  if (policy.ownQuestion === 'forbidden' && actor.user === asker.user)
    return refusal('Review.NotAllowed', 'nobody decides on a question of their own');
  if (decision.kind === 'approve' && actor.user === proposedBy)
    return refusal('Review.NotAllowed', 'a second reviewer must approve what you proposed');
  return null;
}

/** What does not fit how the review stands: a second word without a first one, a first one beside a proposal, the web where it is never asked. */
export function unfittingRefusal(
  decision: ReviewDecision,
  { webMode }: ReviewedRun,
  { state, proposed }: ReviewSummary,
): ReviewRefusal | null {
  const second = decision.kind === 'approve' || decision.kind === 'decline';
  if (second && state !== 'proposed')
    return refusal('Review.Changed', 'no decision waits for a second reviewer; look at the review again');
  if (!second && proposed !== null)
    return refusal(
      'Review.Decided',
      `${proposed.by} proposed "${proposed.kind}" at ${proposed.at}; approve or decline it`,
    );
  const outside =
    (decision.kind === 'retry' && decision.web === true) ||
    (decision.kind === 'addEvidence' && decision.evidence.from === 'address');
  if (outside && webMode === 'never')
    return refusal('Review.Invalid', 'the policy of this question never lets it reach the web');
  return null;
}
