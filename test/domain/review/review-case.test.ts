import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DecideReview, ReviewDecision } from '../../../domain/contracts/review.ts';
import type { ReviewPolicy } from '../../../domain/contracts/review-policy.ts';
import { ReviewCase } from '../../../domain/review/review-case.ts';
import { defaultPolicy } from '../../support/question-runs.ts';

const start = Date.parse('2026-03-02T08:00:00Z');
const minute = 60_000;
const asker = { user: 'asker', groups: ['staff'] };
const rules = (own: Partial<ReviewPolicy>): ReviewPolicy => ({ ...defaultPolicy.review, deadlineMinutes: 60, ...own });
const opened = (own: Partial<ReviewPolicy> = {}) => {
  const reviews = new ReviewCase({ policy: rules(own), webMode: 'ask', asker });
  reviews.open('abstained', start);
  return reviews;
};

const users = fc.constantFrom('ann', 'ben', 'cleo', 'asker');
const decisions = fc.constantFrom<ReviewDecision>(
  { kind: 'confirm' },
  { kind: 'reject', reason: 'no' },
  { kind: 'retry', hint: 'x' },
  { kind: 'approve' },
  { kind: 'decline', reason: 'no' },
);
const requests: fc.Arbitrary<DecideReview> = fc.record({
  requestId: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
  fingerprint: fc.constant(''),
  actor: fc.record({
    user: users,
    groups: fc.constantFrom(['staff'], ['staff', 'legal'], []),
    roles: fc.constantFrom(['reviewer' as const], []),
  }),
  round: fc.integer({ min: 0, max: 3 }),
  decision: decisions,
  comment: fc.constant(null),
});
/** What happens to a case, in minutes after its opening. */
const moves = fc.array(
  fc.record({ what: fc.constantFrom('decide', 'decide', 'decide', 'open', 'claim'), request: requests }),
  { maxLength: 40 },
);

function play(reviews: ReviewCase, list: { what: string; request: DecideReview }[]): { accepted: DecideReview[] } {
  const accepted: DecideReview[] = [];
  list.forEach(({ what, request }, n) => {
    const now = start + n * minute;
    if (what === 'open' && !reviews.waiting) reviews.open('abstained', now);
    const claim = { actor: request.actor, round: request.round, how: 'claim' as const };
    if (what === 'claim' && reviews.claimRefusal(claim, now) === null) reviews.claim(claim, now);
    if (what === 'decide' && reviews.refusalOf(request, now) === null) {
      reviews.decide(request, now);
      accepted.push(request);
    }
  });
  return { accepted };
}

describe('the reviews of a run', () => {
  test('one decision a round, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(moves, fc.subarray(['confirm', 'reject', 'retry'] as const), (list, fourEyes) => {
        const reviews = opened({ fourEyes, maxRounds: 20 });
        play(reviews, list);
        const decided = reviews.trail.entries().filter(({ action }) => action === 'decided');
        expect(new Set(decided.map(({ round }) => round)).size).toBe(decided.length);
      }),
    );
  });

  test('a repeated request has the first result and changes nothing', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const reviews = opened();
        const { accepted } = play(reviews, list);
        const later = start + 1000 * minute;
        const before = JSON.stringify(reviews.trail.entries());
        for (const request of accepted) {
          expect(reviews.refusalOf(request, later)).toBeNull();
          expect(reviews.decide(request, later)).toMatchObject({
            requestId: request.requestId,
            by: request.actor.user,
          });
        }
        expect(JSON.stringify(reviews.trail.entries())).toBe(before);
      }),
    );
  });

  test('nobody without the role or the asker’s groups decides, and nobody approves their own proposal', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const reviews = opened({ fourEyes: ['confirm', 'reject', 'retry'], ownQuestion: 'forbidden', maxRounds: 20 });
        const { accepted } = play(reviews, list);
        for (const { actor } of accepted) {
          expect(actor.roles).toEqual(['reviewer']);
          expect(actor.groups).toContain('staff');
          expect(actor.user).not.toBe('asker');
        }
        const { decided } = reviews.summary ?? {};
        if (decided) expect(decided.approvedBy).not.toBe(decided.by);
      }),
    );
  });

  test('the trail joins up: every line starts from the state that the one before led to', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const reviews = opened({ fourEyes: ['confirm'], maxRounds: 20 });
        play(reviews, list);
        const changes = reviews.trail.entries().filter(({ to }) => to !== null);
        changes.forEach((line, n) => expect(line.from).toBe(changes[n - 1]?.to ?? null));
        expect(changes.at(-1)?.to).toBe(reviews.summary?.state);
      }),
    );
  });

  test('nothing is taken from the deadline on', () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 60, max: 600 }), (request, minutes) => {
        const reviews = opened();
        const refused = reviews.refusalOf({ ...request, requestId: 'late' }, start + minutes * minute);
        expect(refused?.code).toMatch(/^Review\.(Gone|NotAllowed|NotOpen|Changed)$/);
      }),
    );
  });

  test('refusals that come by signal are written down, as many as there is room for', () => {
    const reviews = opened();
    const stranger = { user: 'eve', groups: [], roles: [] };
    const request: DecideReview = {
      requestId: 'x',
      fingerprint: '',
      actor: stranger,
      round: 1,
      decision: { kind: 'confirm' },
      comment: null,
    };
    for (let n = 0; n < 300; n++) reviews.receive({ ...request, requestId: String(n) }, start);
    const lines = reviews.trail.entries().filter(({ action }) => action === 'refused');
    expect(lines).toHaveLength(200);
    expect(lines[0]).toMatchObject({
      actor: 'eve',
      from: 'open',
      to: 'open',
      note: expect.stringMatching(/NotAllowed/),
    });
    reviews.receive(null as unknown as DecideReview, start);
    expect(reviews.summary?.state).toBe('open');
  });
});
