import type { Outcome } from '../contracts/answer.ts';
import type { Policy } from '../contracts/policy.ts';
import type { ReviewReason } from '../contracts/review-policy.ts';
import { reviewPolicyOf } from './no-reviews.ts';

/** What of a run decides whether a person is asked. */
export interface Reviewable {
  input: { policy: Policy };
  /** The web was to be asked and a person must allow it. */
  webWithheld: boolean;
  /** Roles that were not paid any more. */
  unpaidRoles: ReadonlySet<string>;
}

/** Why a person is asked about an outcome: the most telling of the reasons that the policy names; null when nobody is. */
export function reviewReasonOf(run: Reviewable, { status, quality }: Outcome): ReviewReason | null {
  if (status !== 'abstained' && status !== 'partially_answered') return null;
  const reasons: ReviewReason[] = [
    ...(run.webWithheld ? (['web_permission'] as const) : []),
    ...(run.unpaidRoles.size > 0 ? (['cost_ceiling'] as const) : []),
    ...(quality.conflicts.length > 0 ? (['conflicting'] as const) : []),
    status,
  ];
  return reasons.find((reason) => reviewPolicyOf(run.input.policy).on.includes(reason)) ?? null;
}
