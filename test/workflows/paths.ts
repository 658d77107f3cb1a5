import { ApplicationFailure } from '@temporalio/common';
import type { AnswerActivities } from '../../activities/index.ts';
import type { Script } from '../support/scripted-steps.ts';

/** Every way that a run can take, as a script; each has a recorded history under test/histories. */
export const paths: Record<
  string,
  { script: Script; question?: string; override?: Partial<AnswerActivities>; ends: string }
> = {
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
};
