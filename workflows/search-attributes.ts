import { defineSearchAttributeKey } from '@temporalio/common';

/** Must be registered with the server before the first run. Never encoded by Temporal: nothing private in them. */
export const searchAttributes = {
  tenant: defineSearchAttributeKey('PlumblineTenant', 'KEYWORD'),
  status: defineSearchAttributeKey('PlumblineStatus', 'KEYWORD'),
  verdict: defineSearchAttributeKey('PlumblineVerdict', 'KEYWORD'),
  quality: defineSearchAttributeKey('PlumblineQuality', 'KEYWORD'),
  policy: defineSearchAttributeKey('PlumblinePolicy', 'KEYWORD'),
  reason: defineSearchAttributeKey('PlumblineReason', 'KEYWORD'),
  /** Id of the question that this run is a fork of. */
  forkOf: defineSearchAttributeKey('PlumblineForkOf', 'KEYWORD'),
  /** What the run has paid for models, in millionths of a US dollar. */
  costMicroUsd: defineSearchAttributeKey('PlumblineCostMicroUsd', 'INT'),
  /** How the run's review stands; absent where no person was asked. */
  reviewState: defineSearchAttributeKey('PlumblineReviewState', 'KEYWORD'),
  reviewReason: defineSearchAttributeKey('PlumblineReviewReason', 'KEYWORD'),
  /** Groups whose reviewers may decide; absent: all reviewers of the tenant. */
  reviewGroups: defineSearchAttributeKey('PlumblineReviewGroups', 'KEYWORD_LIST'),
  reviewDeadline: defineSearchAttributeKey('PlumblineReviewDeadline', 'DATETIME'),
};
