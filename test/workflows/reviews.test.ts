import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { DecideReview } from '../../domain/contracts/review.ts';
import {
  claimReviewUpdate,
  commentReviewUpdate,
  decideReviewSignal,
  decideReviewUpdate,
  progressQuery,
  reviewQuery,
} from '../../workflows/messages.ts';
import { access, bundle, defaultPolicy } from '../support/question-runs.ts';
import {
  ann,
  ben,
  decide,
  half,
  hopeless,
  refusal,
  request,
  reviewedRun,
  waits,
  type ReviewedRun,
} from '../support/review-runs.ts';
import type { Script } from '../support/scripted-steps.ts';
import { quietRuntime, devServer } from '../support/servers.ts';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  quietRuntime();
  await bundle();
  env = await devServer();
});
afterAll(() => env.teardown());

const reviewed = (script: Script, own: Omit<ReviewedRun, 'script'>, story: Parameters<typeof reviewedRun>[2]) =>
  reviewedRun(env, { script, ...own }, story);

describe('a review', () => {
  test('opens on the same run, with what was tried and found, and a confirmed abstention ends it', async () => {
    await reviewed(hopeless, {}, async (handle, { notifications }) => {
      await waits(handle);
      expect(await handle.query(reviewQuery)).toMatchObject({
        state: 'open',
        round: 1,
        reason: 'abstained',
        status: 'abstained',
        missingAspects: ['What is the late fee'],
        draft: null,
        evidence: [{ id: 'p1', label: 'irrelevant', snippet: 'The late fee is 9.', quotes: [] }],
        ledger: [{ tier: 'rewrite' }, { tier: 'decompose' }],
      });
      expect(await handle.query(progressQuery)).toMatchObject({ step: null, review: { state: 'open' } });
      const { typedSearchAttributes, memo } = await handle.describe();
      expect(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
        expect.arrayContaining([
          ['PlumblineStatus', 'awaiting_review'],
          ['PlumblineReviewState', 'open'],
          ['PlumblineReviewReason', 'abstained'],
        ]),
      );
      expect(memo).toMatchObject({ review: { state: 'open', claimedBy: null } });
      const result = await decide(handle, { kind: 'confirm' }, { comment: 'nobody knows' });
      expect(result).toMatchObject({ state: 'continuing', round: 1, kind: 'confirm', by: 'ann' });
      const outcome = await handle.result();
      expect(outcome).toMatchObject({
        status: 'abstained',
        review: {
          state: 'decided',
          decided: { kind: 'confirm', by: 'ann', comment: 'nobody knows' },
          trail: [
            { action: 'opened', actor: null, from: null, to: 'open' },
            { action: 'decided', actor: 'ann', from: 'open', to: 'continuing', decision: 'confirm' },
          ],
        },
      });
      expect(notifications.map(({ type }) => type)).toEqual(['review.requested', 'review.decided']);
    });
  });

  test('shows a draft, which is released when it is confirmed and checked once more', async () => {
    await reviewed(half, {}, async (handle, { calls }) => {
      await waits(handle);
      expect(await handle.query(reviewQuery)).toMatchObject({
        reason: 'partially_answered',
        draft: {
          answer: expect.stringMatching(/^The late fee is 9. \[1\]/),
          citations: expect.arrayContaining([expect.objectContaining({ quote: 'The late fee is 9.' })]),
        },
      });
      const before = calls.checkGrounding;
      await decide(handle, { kind: 'confirm' });
      expect(await handle.result()).toMatchObject({
        status: 'partially_answered',
        answer: expect.stringMatching(/^The late fee is 9/),
      });
      expect(calls.checkGrounding).toBe((before ?? 0) + 1);
    });
  });

  test('a rejection lets nothing out', async () => {
    await reviewed(half, {}, async (handle) => {
      await waits(handle);
      await decide(handle, { kind: 'reject', reason: 'not for customers' });
      expect(await handle.result()).toMatchObject({
        status: 'denied',
        answer: null,
        statements: [],
        reason: { code: 'rejected', message: 'not for customers' },
      });
    });
  });

  test('a reviewer answers from a source', async () => {
    await reviewed(hopeless, {}, async (handle) => {
      await waits(handle);
      await decide(handle, {
        kind: 'answer',
        text: 'The late fee is 9.',
        source: { title: 'The clerk', uri: '', text: null },
        vouched: false,
      });
      expect(await handle.result()).toMatchObject({
        status: 'answered',
        answer: 'The late fee is 9. [1]',
        citations: [{ origin: 'reviewer', title: 'The clerk', quote: 'The late fee is 9.' }],
        grounding: { status: 'pass', method: 'reviewer' },
        review: { decided: { kind: 'answer', by: 'ann' } },
      });
    });
  });

  test('an answer that its source does not say goes back with the reasons, to a further round', async () => {
    await reviewed({ ...hopeless, adopted: 'fail' }, {}, async (handle) => {
      await waits(handle);
      const answer = { kind: 'answer', text: 'The fee is 8.', vouched: false } as const;
      await decide(handle, { ...answer, source: { title: 'Fees', uri: '', text: 'The fee is 9.' } });
      await waits(handle, 2);
      const review = await handle.query(reviewQuery);
      expect(review?.trail).toContainEqual(
        expect.objectContaining({ action: 'returned', note: expect.stringMatching(/another number/) }),
      );
      expect(await refusal(decide(handle, { kind: 'confirm' }))).toMatch(/^Review.Decided: ann decided "answer"/);
      await decide(handle, { kind: 'confirm' }, { round: 2 });
      expect(await handle.result()).toMatchObject({ status: 'abstained', review: { round: 2, state: 'decided' } });
    });
  });

  test('added evidence is graded, and the run goes on from there without searching again', async () => {
    const script: Script = { ...hopeless, added: () => [{ id: 'r1', score: 0.9 }] };
    await reviewed(script, {}, async (handle, { calls }) => {
      await waits(handle);
      const { retrieve } = calls;
      await decide(handle, {
        kind: 'addEvidence',
        evidence: { from: 'text', title: 'Mail', uri: '', text: 'The late fee is 9.' },
      });
      const outcome = await handle.result();
      expect(outcome).toMatchObject({
        status: 'answered',
        citations: [{ origin: 'reviewer', evidenceId: 'r1' }],
        ledger: [{ tier: 'rewrite' }, { tier: 'decompose' }, { tier: 'review', found: 1, verdict: 'CORRECT' }],
      });
      expect(calls.retrieve).toBe(retrieve);
    });
  });

  test('a retry searches as the reviewer says', async () => {
    const script: Script = {
      search: (query) => (query === 'penalty for delay' ? [{ id: 'p2', score: 0.9 }] : [{ id: 'p1', score: 0.1 }]),
    };
    await reviewed(script, {}, async (handle, { queries }) => {
      await waits(handle);
      await decide(handle, { kind: 'retry', query: 'penalty for delay' });
      expect(await handle.result()).toMatchObject({ status: 'answered' });
      expect(queries.at(-1)).toBe('penalty for delay');
    });
  });

  test('a retry that finds nothing opens the next round, as often as the policy allows', async () => {
    await reviewed(hopeless, { review: { maxRounds: 2 } }, async (handle) => {
      await waits(handle);
      await decide(handle, { kind: 'retry', hint: 'penalty' });
      await waits(handle, 2);
      await decide(handle, { kind: 'retry', hint: 'delay' }, { round: 2 });
      expect(await handle.result()).toMatchObject({ status: 'abstained', review: { round: 2 } });
    });
  });

  test('the web is asked when a person has allowed it, and only then', async () => {
    const script: Script = { ...hopeless, web: () => [{ id: 'w1', score: 0.9 }], webAsks: true };
    const policy = {
      tiers: ['rewrite', 'web'] as Policy['tiers'],
      web: { ...defaultPolicy.web, mode: 'ask' as const },
    };
    await reviewed(script, { policy, review: { on: ['web_permission'] } }, async (handle) => {
      await waits(handle);
      expect(await handle.query(reviewQuery)).toMatchObject({ reason: 'web_permission' });
      await decide(handle, { kind: 'retry', web: true });
      expect(await handle.result()).toMatchObject({ status: 'answered' });
    });
  });
});

describe('a decision', () => {
  test('wins once; the others learn who and when, and a repeated request has the first result', async () => {
    await reviewed(hopeless, { review: { fourEyes: [] } }, async (handle) => {
      await waits(handle);
      const first = request({ kind: 'retry', hint: 'x' });
      const result = await handle.executeUpdate(decideReviewUpdate, { args: [first] });
      expect(await handle.executeUpdate(decideReviewUpdate, { args: [first] })).toEqual(result);
      const other = { ...first, decision: { kind: 'confirm' } as const };
      expect(await refusal(handle.executeUpdate(decideReviewUpdate, { args: [other] }))).toMatch(/^Review.KeyReused/);
      await waits(handle, 2);
      expect(await refusal(decide(handle, { kind: 'confirm' }, { actor: ben }))).toMatch(
        /^Review.Decided: ann decided "retry" at 20/,
      );
      await decide(handle, { kind: 'confirm' }, { round: 2 });
      await handle.result();
    });
  });

  test('of twenty at once, one', async () => {
    await reviewed(hopeless, {}, async (handle) => {
      await waits(handle);
      const said = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          refusal(decide(handle, { kind: 'confirm' }, { actor: { ...ann, user: `r${n}` } })).catch(() => 'ended'),
        ),
      );
      expect(said.filter((word) => word === 'accepted')).toHaveLength(1);
      const { review } = await handle.result();
      expect(review?.trail.filter(({ action }) => action === 'decided')).toHaveLength(1);
    });
  });

  test('too early is refused as an update, and kept as a signal', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const rewrite = async () => {
      await gate;
      return { queries: [], ms: 1, calls: [] };
    };
    await reviewed(hopeless, { override: { rewrite } }, async (handle) => {
      expect(await refusal(decide(handle, { kind: 'confirm' }))).toMatch(/^Review.NotOpen/);
      await handle.signal(decideReviewSignal, request({ kind: 'reject', reason: 'no' }));
      open();
      expect(await handle.result()).toMatchObject({ status: 'denied' });
    });
  });

  test('needs the role, the groups and, where the policy says so, another person than the asker', async () => {
    const review = { ownQuestion: 'forbidden' as const, groups: ['legal'] };
    await reviewed(hopeless, { review }, async (handle) => {
      await waits(handle);
      const by = (actor: DecideReview['actor']) => refusal(decide(handle, { kind: 'confirm' }, { actor }));
      const lawyer = { ...ann, groups: ['staff', 'legal'] };
      expect(await by({ ...lawyer, roles: [] })).toMatch(/^Review.NotAllowed: only reviewers/);
      expect(await by({ ...lawyer, groups: ['legal'] })).toMatch(/^Review.NotAllowed: only those decide who may read/);
      expect(await by(ann)).toMatch(/^Review.NotAllowed: this review is for legal/);
      expect(await by({ ...lawyer, user: access.user })).toMatch(/^Review.NotAllowed: nobody decides on a question/);
      expect(await by(lawyer)).toBe('accepted');
      await handle.result();
    });
  });

  test('of a kind that needs four eyes waits for a second reviewer', async () => {
    await reviewed(half, { review: { fourEyes: ['confirm'] } }, async (handle) => {
      await waits(handle);
      expect(await decide(handle, { kind: 'confirm' })).toMatchObject({ state: 'proposed' });
      expect(await refusal(decide(handle, { kind: 'approve' }))).toMatch(/^Review.NotAllowed: a second reviewer/);
      expect(await refusal(decide(handle, { kind: 'confirm' }, { actor: ben }))).toMatch(
        /^Review.Decided: ann proposed "confirm"/,
      );
      expect(await decide(handle, { kind: 'decline', reason: 'look again' }, { actor: ben })).toMatchObject({
        state: 'open',
      });
      await decide(handle, { kind: 'confirm' });
      await decide(handle, { kind: 'approve' }, { actor: ben });
      expect(await handle.result()).toMatchObject({ review: { decided: { by: 'ann', approvedBy: 'ben' } } });
    });
  });

  test('can be announced by a claim, talked over, and taken by somebody else all the same', async () => {
    await reviewed(hopeless, {}, async (handle) => {
      await waits(handle);
      const claim = (actor: typeof ann, how: 'claim' | 'takeOver' | 'release') =>
        handle.executeUpdate(claimReviewUpdate, { args: [{ actor, round: 1, how }] });
      expect(await claim(ann, 'claim')).toMatchObject({ state: 'claimed', claimedBy: 'ann' });
      expect(await refusal(claim(ben, 'claim'))).toMatch(/^Review.Claimed: ann is working on it/);
      expect(await claim(ben, 'takeOver')).toMatchObject({ claimedBy: 'ben' });
      await handle.executeUpdate(commentReviewUpdate, { args: [{ actor: ann, text: 'ask the clerk' }] });
      await decide(handle, { kind: 'confirm' });
      const { review } = await handle.result();
      expect(review?.trail.map(({ action }) => action)).toEqual([
        'opened',
        'claimed',
        'claimed',
        'commented',
        'decided',
      ]);
    });
  });

  test('typed by hand and wrong is refused in words', async () => {
    await reviewed(hopeless, {}, async (handle) => {
      await waits(handle);
      for (const [typed, why] of [
        [{}, /requestId must be a text/],
        [{ ...request({ kind: 'confirm' }), actor: 'ann' }, /actor must be/],
        [{ ...request({ kind: 'confirm' }), decision: { kind: 'approved' } }, /decision.kind must be one of/],
        [{ ...request({ kind: 'confirm' }), decision: { kind: 'retry' } }, /a retry needs/],
      ] as [DecideReview, RegExp][])
        expect(await refusal(handle.executeUpdate(decideReviewUpdate, { args: [typed] }))).toMatch(why);
      await decide(handle, { kind: 'confirm' });
      await handle.result();
    });
  });

  test('after cancellation finds the review closed', async () => {
    await reviewed(hopeless, {}, async (handle) => {
      await waits(handle);
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
      expect(await handle.query(reviewQuery)).toMatchObject({ state: 'cancelled' });
    });
  });
});
