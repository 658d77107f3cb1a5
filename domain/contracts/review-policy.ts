import { z } from 'zod';

/**
 * Why a review is opened. `conflicting`: sources disagree; `web_permission`: the web was to be asked and a person must allow it;
 * `cost_ceiling`: a model was not paid any more.
 */
export const reviewReasonSchema = z.enum([
  'abstained',
  'partially_answered',
  'conflicting',
  'web_permission',
  'cost_ceiling',
]);
export type ReviewReason = z.infer<typeof reviewReasonSchema>;

/** What a reviewer can decide first; `approve` and `decline` are the second reviewer's words on that. */
export const decisionKindSchema = z.enum(['confirm', 'answer', 'addEvidence', 'retry', 'reject']);
export type DecisionKind = z.infer<typeof decisionKindSchema>;

const minutes = z.number().positive().max(525_600);

/** When a run waits for a person, for whom, how long, and what then. */
export const reviewPolicySchema = z.strictObject({
  /** The outcomes that open a review; empty: none. */
  on: z.array(reviewReasonSchema),
  /** Reviewers in one of these groups may decide; empty: all reviewers of the tenant. */
  groups: z.array(z.string().min(1).max(100)).max(20),
  deadlineMinutes: minutes,
  /** Minutes after the opening at which reviewers are reminded. */
  remindAfterMinutes: z.array(minutes).max(10),
  /** From then on reviewers in these groups may decide as well, and are told so. */
  escalate: z
    .strictObject({ afterMinutes: minutes, groups: z.array(z.string().min(1).max(100)).min(1).max(20) })
    .nullable(),
  /** `abstain`: no text is released; `publish_partial`: a partial answer is, where there is one; `fail`: the run fails as `Review.Expired`. */
  atDeadline: z.enum(['abstain', 'publish_partial', 'fail']),
  /** Whether reviewers may decide on questions of their own. */
  ownQuestion: z.enum(['allowed', 'forbidden']),
  /** Decisions that need a second reviewer. */
  fourEyes: z.array(decisionKindSchema),
  /** How often one run can be given to a person; after that its outcome stands. */
  maxRounds: z.number().int().min(1).max(20),
  /** What a reviewer's evidence weighs in a conflict, 0–100. */
  authority: z.number().min(0).max(100),
  /** Score from which a reviewer's passage is `relevant`, and below which it is `irrelevant`. */
  relevant: z.number().min(0).max(1),
  irrelevant: z.number().min(0).max(1),
});
export type ReviewPolicy = z.infer<typeof reviewPolicySchema>;
