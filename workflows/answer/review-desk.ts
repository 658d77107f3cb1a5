import {
  ApplicationFailure,
  condition,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { DecisionKind, ReviewPolicy, ReviewReason } from '../../domain/contracts/review-policy.ts';
import type {
  ClaimReview,
  CommentReview,
  DecideReview,
  ReviewDecision,
  ReviewRecord,
  ReviewSummary,
} from '../../domain/contracts/review.ts';
import { reviewPolicyOf } from '../../domain/review/no-reviews.ts';
import type { ReviewRefusal } from '../../domain/review/refusals.ts';
import { ReviewCase } from '../../domain/review/review-case.ts';
import { reviewReasonOf } from '../../domain/review/review-reason.ts';
import { appointmentsOf } from '../../domain/review/appointments.ts';
import {
  claimReviewUpdate,
  commentReviewUpdate,
  decideReviewSignal,
  decideReviewUpdate,
  reviewQuery,
} from '../messages.ts';
import { searchAttributes } from '../search-attributes.ts';
import { ReviewNotices } from './review-notices.ts';
import { howToDecide, reviewFile } from './review-file.ts';
import type { RunState } from './state.ts';

/** How the Temporal UI tells what to type. */
const typed = '{ requestId, actor: { user, groups, roles }, round';

export type FinalDecision = Extract<ReviewDecision, { kind: DecisionKind }> | { kind: 'expired' };

/** Where a run waits for a person. Takes their messages from the run's first moment on, so that what comes too early is refused in words. */
export class ReviewDesk {
  private readonly state: RunState;
  private readonly policy: ReviewPolicy;
  private readonly reviews: ReviewCase;
  private readonly notices: ReviewNotices;
  private outcome: Outcome | null = null;

  constructor(state: RunState) {
    const { access, policy } = state.input;
    this.state = state;
    this.policy = reviewPolicyOf(policy);
    this.reviews = new ReviewCase({ policy: this.policy, webMode: policy.web.mode, asker: access });
    this.notices = new ReviewNotices(state, (why) => this.reviews.undelivered(why, Date.now()));
    state.review = () => this.reviews.summary;
    this.listen();
  }

  /** What a person decided on this outcome; null when it stands without one. */
  async decisionOn(outcome: Outcome): Promise<FinalDecision | null> {
    const reason = this.reviews.roundsLeft ? reviewReasonOf(this.state, outcome) : null;
    if (reason === null) return null;
    this.outcome = outcome;
    this.open(reason);
    for (const { at, what } of appointmentsOf(this.policy, Date.now())) {
      if (await this.decidedBy(at)) break;
      this.keep(what);
    }
    const decision = this.reviews.takeDecision();
    if (decision === null) return { kind: 'expired' };
    // The task that took the decision ends before the step that follows it begins: a reset to before that step then keeps it.
    await this.notices.taken();
    return decision;
  }

  /** What was decided could not be done as it was: whoever decides next reads why. */
  giveBack(why: string): void {
    this.reviews.giveBack(why, Date.now());
  }

  /** Documents that the run rests on were replaced or closed to the asker; told where somebody has decided on them. */
  sourcesGone(): void {
    if (this.reviews.summary !== null)
      this.giveBack('sources are there no more, or not open to the asker: searched anew');
  }

  /** Closes the review, if there was one, and lets its last notices leave. */
  async close(end: 'decided' | 'cancelled'): Promise<void> {
    const { summary } = this.reviews;
    if (summary === null) return;
    if (summary.state !== 'expired') this.reviews.close(end, Date.now());
    this.remember();
    await this.notices.leave();
  }

  /** Of the whole review, for the outcome; null when nobody was asked. */
  record(): ReviewRecord | null {
    const { summary } = this.reviews;
    return summary === null ? null : { ...summary, trail: this.reviews.trail.entries() };
  }

  private open(reason: ReviewReason): void {
    this.reviews.open(reason, Date.now());
    const { round, deadline } = this.present();
    this.state.tell({ type: 'review-request', round, reason, deadline });
    this.notices.send('review.requested', this.present());
    // One that was waiting for this round may have decided already.
    this.changed();
  }

  /** Waits for a decision until that moment of Temporal's time. */
  private async decidedBy(at: number): Promise<boolean> {
    const left = at - Date.now();
    if (left <= 0) return !this.reviews.waiting;
    return condition(() => !this.reviews.waiting, left, { summary: 'waits for a reviewer' });
  }

  private keep(what: 'remind' | 'escalate' | 'deadline'): void {
    const now = Date.now();
    if (what === 'remind') {
      this.reviews.remind(now);
      this.notices.send('review.reminded', this.present());
    } else if (what === 'escalate') {
      this.reviews.escalate(this.policy.escalate?.groups ?? [], now);
      this.notices.send('review.escalated', this.present());
      this.remember();
    } else {
      this.reviews.close('expired', now);
      this.state.tell({ type: 'review-decision', round: this.present().round, decision: 'expired', by: null });
      this.notices.send('review.expired', this.present());
      this.remember();
    }
  }

  private listen(): void {
    const { reviews } = this;
    setHandler(
      reviewQuery,
      () => {
        const record = this.record();
        return record === null || this.outcome === null ? null : reviewFile(this.state, this.outcome, record);
      },
      { description: 'all that a reviewer needs to decide' },
    );
    setHandler(
      decideReviewUpdate,
      (request) => {
        const result = reviews.decide(request, Date.now());
        this.changed();
        return result;
      },
      {
        description: `${typed}, decision: { kind } }: confirm, answer, addEvidence, retry, reject, approve or decline`,
        validator: (request: DecideReview) => this.refuse(reviews.refusalOf(request, Date.now())),
      },
    );
    setHandler(
      decideReviewSignal,
      (request) => {
        reviews.receive(request, Date.now());
        this.changed();
      },
      { description: 'as the update of this name, without an answer' },
    );
    setHandler(
      claimReviewUpdate,
      (request) => {
        reviews.claim(request, Date.now());
        this.changed();
        return this.present();
      },
      {
        description: `${typed}, how: claim, takeOver or release }`,
        validator: (request: ClaimReview) => this.refuse(reviews.claimRefusal(request, Date.now())),
      },
    );
    setHandler(
      commentReviewUpdate,
      (request) => {
        reviews.comment(request, Date.now());
        return this.present();
      },
      {
        description: '{ actor, text }',
        validator: (request: CommentReview) => this.refuse(reviews.commentRefusal(request)),
      },
    );
  }

  /** @throws ApplicationFailure of the refusal's type, with how the review stands */
  private refuse(refused: ReviewRefusal | null): void {
    if (refused === null) return;
    const { code: type, message } = refused;
    throw ApplicationFailure.create({ type, message, nonRetryable: true, details: [this.reviews.summary] });
  }

  private told: string | null = null;

  /** Tells the world how the review stands, if that is news. */
  private changed(): void {
    const { summary } = this.reviews;
    const news = summary && JSON.stringify([summary.state, summary.round, summary.claimedBy]);
    if (summary === null || news === this.told) return;
    this.told = news;
    this.remember();
    const { decided, round } = summary;
    if (summary.state !== 'continuing' || decided === null) return;
    this.state.tell({ type: 'review-decision', round, decision: decided.kind, by: decided.by });
    this.notices.send('review.decided', summary);
  }

  /** The inbox is a query of Temporal's visibility store: what it filters by is in the search attributes, what it shows in the memo. */
  private remember(): void {
    const summary = this.present();
    const { state, reason, groups, deadline } = summary;
    upsertSearchAttributes([
      { key: searchAttributes.status, value: this.reviews.waiting ? 'awaiting_review' : 'running' },
      { key: searchAttributes.reviewState, value: state },
      { key: searchAttributes.reviewReason, value: reason },
      { key: searchAttributes.reviewDeadline, value: new Date(deadline) },
      ...(groups.length === 0 ? [] : [{ key: searchAttributes.reviewGroups, value: groups }]),
    ]);
    upsertMemo({ review: summary });
    if (this.reviews.waiting) setCurrentDetails(this.state.story(howToDecide(this.state.input.access, summary)));
  }

  private present(): ReviewSummary {
    const { summary } = this.reviews;
    if (summary === null) throw new TypeError('no review was opened');
    return summary;
  }
}
