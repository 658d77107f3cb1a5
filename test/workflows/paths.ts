import { ApplicationFailure } from '@temporalio/common';
import type { AnswerActivities } from '../../activities/index.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { ReviewDecision } from '../../domain/contracts/review.ts';
import type { ReviewPolicy } from '../../domain/contracts/review-policy.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { half, hopeless } from '../support/review-runs.ts';
import type { Script } from '../support/scripted-steps.ts';

export interface Path {
  script: Script;
  question?: string;
  override?: Partial<AnswerActivities>;
  policy?: Partial<Policy>;
  /** Reviewers are asked, and decide so, a round each; none where nobody decides. `early`: by a signal before the first round. */
  review?: Partial<ReviewPolicy>;
  decisions?: (ReviewDecision | 'claim' | 'cancel' | { early: ReviewDecision } | { second: ReviewDecision })[];
  ends: string;
}

const answer = {
  kind: 'answer',
  text: 'The late fee is 9.',
  source: { title: 'The clerk', uri: '', text: 'The late fee is 9.' },
  vouched: false,
} as const;

/** Every way that a run can take, as a script; each has a recorded history under test/histories. */
export const paths: Record<string, Path> = {
  answered: { script: { search: () => [{ id: 'p1', score: 0.9 }] }, ends: 'answered' },
  'answered-after-rewrite': {
    script: { search: (query) => (query.endsWith('?') ? [{ id: 'p1', score: 0.4 }] : [{ id: 'p2', score: 0.9 }]) },
    ends: 'answered',
  },
  'answered-after-decompose': {
    script: { search: (query) => [{ id: query, score: /^What are deadline/.test(query) ? 0.9 : 0.1 }] },
    question: 'What are the fee and the deadline for late returns?',
    ends: 'answered',
  },
  'abstained-no-evidence': { script: { search: () => [{ id: 'p1', score: 0.1 }] }, ends: 'abstained' },
  'abstained-empty-corpus': { script: { search: () => [], corpusEmpty: true }, ends: 'abstained' },
  'abstained-insufficient': { script: { search: () => [{ id: 'p1', score: 0.9 }], strips: false }, ends: 'abstained' },
  'abstained-not-grounded': {
    script: {
      search: () => [
        { id: 'p1', score: 0.9 },
        { id: 'p2', score: 0.8 },
      ],
      grounded: () => false,
    },
    ends: 'abstained',
  },
  'answered-after-revision': {
    script: {
      search: () => [
        { id: 'p1', score: 0.9 },
        { id: 'p2', score: 0.8 },
      ],
      grounded: (attempt, index) => attempt > 1 || index > 0,
    },
    ends: 'answered',
  },
  'partially-answered-after-dropping': {
    script: {
      search: () => [
        { id: 'p1', score: 0.9 },
        { id: 'p2', score: 0.8 },
        { id: 'p3', score: 0.8 },
      ],
      grounded: (_, index) => index > 0,
    },
    ends: 'partially_answered',
  },
  'needs-clarification': { script: { search: () => [] }, question: '?', ends: 'needs_clarification' },
  'grader-failed': {
    script: { search: () => [{ id: 'p1', score: 0.9 }] },
    override: { grade: () => Promise.reject(ApplicationFailure.nonRetryable('no model', 'Model.NotInstalled')) },
    ends: 'answered',
  },
  'failed-index-corrupt': {
    script: { search: () => [] },
    override: {
      retrieve: () => Promise.reject(ApplicationFailure.nonRetryable('the index is damaged', 'Index.Corrupt')),
    },
    ends: 'failed',
  },
  'review-confirmed': {
    script: half,
    review: {},
    decisions: ['claim', { kind: 'confirm' }],
    ends: 'partially_answered',
  },
  'review-rejected-early': {
    script: hopeless,
    review: {},
    decisions: [{ early: { kind: 'reject', reason: 'not ours to answer' } }],
    ends: 'denied',
  },
  'review-answered': { script: hopeless, review: {}, decisions: [answer], ends: 'answered' },
  'review-answer-given-back': {
    script: { ...hopeless, adopted: 'fail' },
    review: {},
    decisions: [answer, { ...answer, vouched: true }],
    ends: 'answered',
  },
  'review-evidence-added': {
    script: { ...hopeless, added: () => [{ id: 'r1', score: 0.9 }] },
    review: {},
    decisions: [
      { kind: 'addEvidence', evidence: { from: 'text', title: 'Mail', uri: '', text: 'The late fee is 9.' } },
    ],
    ends: 'answered',
  },
  'review-retried': {
    script: { search: (query) => (query === 'penalty' ? [{ id: 'p2', score: 0.9 }] : [{ id: 'p1', score: 0.1 }]) },
    review: {},
    decisions: [
      { kind: 'retry', hint: 'delay' },
      { kind: 'retry', query: 'penalty' },
    ],
    ends: 'answered',
  },
  'review-web-permitted': {
    script: { ...hopeless, web: () => [{ id: 'w1', score: 0.9 }], webAsks: true },
    policy: { tiers: ['rewrite', 'web'], web: { ...defaultPolicy.web, mode: 'ask' } },
    review: { on: ['web_permission', 'abstained'] },
    decisions: [{ kind: 'retry', web: true }],
    ends: 'answered',
  },
  'review-by-four-eyes': {
    script: half,
    review: { fourEyes: ['confirm'] },
    decisions: [{ kind: 'confirm' }, { second: { kind: 'approve' } }],
    ends: 'partially_answered',
  },
  'review-expired': {
    script: hopeless,
    review: {
      deadlineMinutes: 0.02,
      remindAfterMinutes: [0.005],
      groups: ['clerks'],
      escalate: { afterMinutes: 0.01, groups: ['heads'] },
    },
    ends: 'abstained',
  },
  'review-failed-at-deadline': {
    script: hopeless,
    review: { deadlineMinutes: 0.01, atDeadline: 'fail' },
    ends: 'failed',
  },
  'review-cancelled': { script: hopeless, review: {}, decisions: ['cancel'], ends: 'failed' },
};
