import type { Policy } from '../contracts/policy.ts';
import type { ReviewPolicy } from '../contracts/review-policy.ts';

const noReviews: ReviewPolicy = {
  on: [],
  groups: [],
  deadlineMinutes: 1,
  remindAfterMinutes: [],
  escalate: null,
  atDeadline: 'abstain',
  ownQuestion: 'forbidden',
  fourEyes: [],
  maxRounds: 1,
  authority: 0,
  relevant: 1,
  irrelevant: 0,
};

/** The policy's rules of review; none for a run that was started by a version that had no reviews. */
export function reviewPolicyOf(policy: Policy): ReviewPolicy {
  return (policy as Partial<Policy>).review ?? noReviews;
}
