import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ReviewPolicy } from '../../domain/contracts/review-policy.ts';
import { decideReviewSignal, reviewQuery } from '../../workflows/messages.ts';
import { bundle } from '../support/question-runs.ts';
import { ann, decide, half, hopeless, request, reviewedRun, waits } from '../support/review-runs.ts';
import type { Script } from '../support/scripted-steps.ts';
import { quietRuntime, timeSkippingServer } from '../support/servers.ts';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  quietRuntime();
  await bundle();
  env = await timeSkippingServer();
});
afterAll(() => env.teardown());

const unattended = (script: Script, review: Partial<ReviewPolicy>, story: Parameters<typeof reviewedRun>[2]) =>
  reviewedRun(env, { script, review: { deadlineMinutes: 3 * 24 * 60, ...review } }, story);

describe('a review that nobody decides', () => {
  test('is reminded of, given to further groups, and ends at its deadline as an abstention that says so', async () => {
    const review = {
      groups: ['clerks'],
      remindAfterMinutes: [60, 24 * 60, 9 * 24 * 60],
      escalate: { afterMinutes: 120, groups: ['heads'] },
    };
    await unattended(hopeless, review, async (handle, { notifications }) => {
      const outcome = await handle.result();
      expect(outcome).toMatchObject({
        status: 'abstained',
        reason: {
          code: 'review_expired',
          message: expect.stringMatching(/^No reviewer decided until 20.*None of the/),
        },
        review: { state: 'expired', groups: ['clerks', 'heads'], decided: null },
      });
      const trail = outcome.review?.trail ?? [];
      expect(trail.map(({ action }) => action)).toEqual(['opened', 'reminded', 'escalated', 'reminded', 'expired']);
      const minutes = trail.map(({ at }) => Math.round((Date.parse(at) - Date.parse(trail[0]?.at ?? '')) / 60_000));
      expect(minutes).toEqual([0, 60, 120, 24 * 60, 3 * 24 * 60]);
      expect(notifications.map(({ type, groups }) => `${type} ${groups.join('+')}`)).toEqual([
        'review.requested clerks',
        'review.reminded clerks',
        'review.escalated clerks+heads',
        'review.reminded clerks+heads',
        'review.expired clerks+heads',
      ]);
      await expect(decide(handle, { kind: 'confirm' })).rejects.toThrow(/completed|not found/i);
    });
  });

  test('releases nothing of its draft, unless the policy has it published', async () => {
    await unattended(half, {}, async (handle) => {
      expect(await handle.result()).toMatchObject({ status: 'abstained', answer: null, citations: [], statements: [] });
    });
    await unattended(half, { atDeadline: 'publish_partial' }, async (handle) => {
      expect(await handle.result()).toMatchObject({ status: 'partially_answered', review: { state: 'expired' } });
    });
    await unattended(hopeless, { atDeadline: 'publish_partial' }, async (handle) => {
      expect(await handle.result()).toMatchObject({ status: 'abstained', reason: { code: 'review_expired' } });
    });
  });

  test('fails the run where the policy says so', async () => {
    await unattended(hopeless, { atDeadline: 'fail' }, async (handle) => {
      const error = await handle.result().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WorkflowFailedError);
      expect((error as WorkflowFailedError).cause).toMatchObject({ type: 'Review.Expired' });
      expect(await handle.query(reviewQuery)).toMatchObject({ state: 'expired' });
    });
  });

  test('has its time anew in every round', async () => {
    await unattended(hopeless, {}, async (handle) => {
      await handle.signal(decideReviewSignal, request({ kind: 'retry', hint: 'penalty' }));
      const { review } = await handle.result();
      expect(review).toMatchObject({ state: 'expired', round: 2, decided: { round: 1, kind: 'retry' } });
    });
  });
});

test('a decision before the deadline stops the clock', async () => {
  await unattended(hopeless, { remindAfterMinutes: [60] }, async (handle, { notifications }) => {
    await waits(handle);
    await decide(handle, { kind: 'confirm' }, { actor: ann });
    const { review } = await handle.result();
    expect(review?.state).toBe('decided');
    expect(notifications.map(({ type }) => type)).toEqual(['review.requested', 'review.decided']);
  });
});
