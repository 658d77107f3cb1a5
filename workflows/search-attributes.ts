import { defineSearchAttributeKey } from '@temporalio/common';

/** Must be registered with the server before the first run. Never encoded by Temporal: nothing private in them. */
export const searchAttributes = {
  tenant: defineSearchAttributeKey('PlumblineTenant', 'KEYWORD'),
  status: defineSearchAttributeKey('PlumblineStatus', 'KEYWORD'),
  verdict: defineSearchAttributeKey('PlumblineVerdict', 'KEYWORD'),
  quality: defineSearchAttributeKey('PlumblineQuality', 'KEYWORD'),
  policy: defineSearchAttributeKey('PlumblinePolicy', 'KEYWORD'),
  reason: defineSearchAttributeKey('PlumblineReason', 'KEYWORD'),
  /** What the run has paid for models, in millionths of a US dollar. */
  costMicroUsd: defineSearchAttributeKey('PlumblineCostMicroUsd', 'INT'),
};
