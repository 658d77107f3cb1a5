import type {
  Actor,
  ClaimReview,
  CommentReview,
  Decided,
  DecideReview,
  DecisionResult,
  ReviewDecision,
  ReviewState,
  ReviewSummary,
} from '../contracts/review.ts';
import type { DecisionKind, ReviewReason } from '../contracts/review-policy.ts';
import { ownInterestRefusal, strangerRefusal, unfittingRefusal, type ReviewedRun } from './permission.ts';
import { refusal, type ReviewRefusal } from './refusals.ts';
import { Requests } from './requests.ts';
import { ReviewTrail, type TrailLine } from './trail.ts';
import { withDefaults, wrongActor, wrongShape } from './wrong-shape.ts';

interface Proposal {
  by: string;
  at: string;
  decision: Extract<ReviewDecision, { kind: DecisionKind }>;
  comment: string | null;
}

const maxComment = 2000;
const maxGivenBack = 20;

/**
 * The reviews of one run: who may decide what when, which decision wins, and the audit trail of it all. No clock of its own: `now` is Temporal's
 * time in ms. The methods named for what is refused change nothing; the others expect that nothing was.
 */
export class ReviewCase {
  readonly trail = new ReviewTrail();
  private readonly options: ReviewedRun;
  private readonly requests = new Requests();
  private current: Omit<ReviewSummary, 'proposed'> | null = null;
  private proposal: Proposal | null = null;
  private decision: Proposal['decision'] | null = null;
  private givenBack = 0;

  constructor(options: ReviewedRun) {
    this.options = options;
  }

  /** Null while no person has been asked. */
  get summary(): ReviewSummary | null {
    return this.current === null ? null : this.shown();
  }

  get waiting(): boolean {
    const state = this.current?.state;
    return state === 'open' || state === 'claimed' || state === 'proposed';
  }

  /** Whether the policy lets this run wait for a person once more; a decision that could not be done as it was uses up no round. */
  get roundsLeft(): boolean {
    return (this.current?.round ?? 0) - Math.min(this.givenBack, maxGivenBack) < this.options.policy.maxRounds;
  }

  /** Opens the next round, and lets a decision that came too early for it take its place. */
  open(reason: ReviewReason, now: number): void {
    const { policy } = this.options;
    const round = (this.current?.round ?? 0) + 1;
    const from = this.current?.state ?? null;
    this.current = {
      state: 'open',
      round,
      reason,
      openedAt: iso(now),
      deadline: iso(now + policy.deadlineMinutes * 60_000),
      groups: policy.groups,
      claimedBy: null,
      decided: this.current?.decided ?? null,
    };
    this.proposal = null;
    this.decision = null;
    this.note({ actor: null, action: 'opened', from, to: 'open', note: reason }, now);
    for (const request of this.requests.takeEarly(round)) this.receive(request, now);
  }

  /** Why this decision does not count; null when it does, or is a repeated one. */
  refusalOf(request: DecideReview, now: number): ReviewRefusal | null {
    const wrong = wrongShape(request) ?? this.requests.reused(request);
    if (wrong !== null || this.requests.resultOf(request) !== null) return wrong;
    const { actor, round, decision } = request;
    return (
      this.strangerOf(actor) ??
      this.notWaiting(round, now) ??
      unfittingRefusal(decision, this.options, this.shown()) ??
      ownInterestRefusal({ actor, decision }, this.options, this.proposal?.by ?? null)
    );
  }

  /** Takes a decision that was not refused; the same request again gets the result that it had. */
  decide(request: DecideReview, now: number): DecisionResult {
    const known = this.requests.resultOf(request);
    if (known !== null) return known;
    const { actor, comment = null } = request;
    const decision = withDefaults(request.decision);
    if (decision.kind === 'approve') this.approve(request, now);
    else if (decision.kind === 'decline') this.decline(actor, decision.reason, now);
    else if (this.options.policy.fourEyes.includes(decision.kind)) this.propose(request, decision, now);
    else this.settle({ by: actor.user, at: iso(now), decision, comment }, { approvedBy: null, now });
    const { state, round } = this.present();
    const { requestId, fingerprint = '' } = request;
    return this.requests.keep(request, {
      requestId,
      fingerprint,
      state,
      round,
      kind: decision.kind,
      by: actor.user,
      at: iso(now),
    });
  }

  /** For a caller that cannot wait: takes the decision, keeps it when it is early, or writes down why it is refused. */
  receive(request: DecideReview, now: number): void {
    const refused = this.refusalOf(request, now);
    if (refused === null) this.decide(request, now);
    else if (refused.code === 'Review.NotOpen' && this.requests.keepEarly(request)) return;
    else this.noteRefusal(request, refused, now);
  }

  claimRefusal({ actor, round, how }: ClaimReview, now: number): ReviewRefusal | null {
    const refused = wrongActor(actor) ?? this.strangerOf(actor) ?? this.notWaiting(round, now);
    if (refused !== null) return refused;
    const holder = this.present().claimedBy;
    if (how === 'takeOver' || holder === null || holder === actor.user) return null;
    return refusal('Review.Claimed', `${holder} is working on it; take it over, or decide all the same`);
  }

  claim({ actor, how }: ClaimReview, now: number): void {
    const current = this.present();
    const from = current.state;
    const claiming = how !== 'release';
    current.claimedBy = claiming ? actor.user : null;
    if (from !== 'proposed') current.state = claiming ? 'claimed' : 'open';
    const action = claiming ? 'claimed' : 'released';
    this.note({ actor: actor.user, action, from, to: current.state }, now);
  }

  commentRefusal({ actor, text }: CommentReview): ReviewRefusal | null {
    const refused = wrongActor(actor) ?? this.strangerOf(actor);
    if (refused !== null) return refused;
    if (this.current === null) return notOpen;
    if (!this.trail.hasRoomFor('commented'))
      return refusal('Review.Invalid', 'this review has as many comments as it can hold');
    const fits = typeof text === 'string' && text.trim() !== '' && text.length <= maxComment;
    return fits ? null : refusal('Review.Invalid', `a comment has 1 to ${maxComment} characters`);
  }

  comment({ actor, text }: CommentReview, now: number): void {
    this.note({ actor: actor.user, action: 'commented', note: text }, now);
  }

  /** A notification that nobody took. */
  undelivered(why: string, now: number): void {
    this.note({ actor: null, action: 'undelivered', note: why }, now);
  }

  remind(now: number): void {
    this.note({ actor: null, action: 'reminded' }, now);
  }

  /** Lets further groups decide. */
  escalate(groups: string[], now: number): void {
    const current = this.present();
    if (current.groups.length > 0) current.groups = [...new Set([...current.groups, ...groups])];
    this.note({ actor: null, action: 'escalated', note: groups.join(', ') }, now);
  }

  /** What was decided, once. */
  takeDecision(): Proposal['decision'] | null {
    const { decision } = this;
    this.decision = null;
    return decision;
  }

  /** What was decided cannot be done as it is: `why` says so to whoever decides next. */
  giveBack(why: string, now: number): void {
    this.givenBack += 1;
    this.note({ actor: null, action: 'returned', note: why }, now);
  }

  /** The end of the run, or of its patience. */
  close(state: 'decided' | 'expired' | 'cancelled', now: number): void {
    if (this.current === null) return;
    const from = this.current.state;
    this.current.state = state;
    if (state !== 'decided') this.note({ actor: null, action: state, from, to: state }, now);
  }

  private propose({ actor, comment = null }: DecideReview, decision: Proposal['decision'], now: number): void {
    const current = this.present();
    const from = current.state;
    this.proposal = { by: actor.user, at: iso(now), decision, comment };
    current.state = 'proposed';
    const kind = decision.kind;
    this.note({ actor: actor.user, action: 'proposed', from, to: 'proposed', decision: kind, note: comment }, now);
  }

  private approve({ actor, comment = null }: DecideReview, now: number): void {
    if (this.proposal === null) throw new TypeError('there is nothing to approve');
    this.note({ actor: actor.user, action: 'approved', decision: this.proposal.decision.kind, note: comment }, now);
    this.settle(this.proposal, { approvedBy: actor.user, now });
  }

  private decline({ user }: Actor, reason: string, now: number): void {
    const current = this.present();
    current.state = current.claimedBy === null ? 'open' : 'claimed';
    const decision = this.proposal?.decision.kind ?? null;
    this.proposal = null;
    this.note({ actor: user, action: 'declined', from: 'proposed', to: current.state, decision, note: reason }, now);
  }

  private settle(proposal: Proposal, { approvedBy, now }: { approvedBy: string | null; now: number }): void {
    const current = this.present();
    const { by, at, comment, decision } = proposal;
    const from = current.state;
    const decided: Decided = { round: current.round, kind: decision.kind, by, at, approvedBy, comment };
    Object.assign(current, { state: 'continuing', decided });
    this.decision = decision;
    this.proposal = null;
    this.note({ actor: by, action: 'decided', from, to: 'continuing', decision: decision.kind, note: comment }, now);
  }

  private strangerOf(actor: Actor): ReviewRefusal | null {
    return strangerRefusal(actor, this.options, this.current?.groups ?? []);
  }

  private notWaiting(round: number, now: number): ReviewRefusal | null {
    const { current } = this;
    const comesNext = current?.state === 'continuing' && round === current.round + 1;
    if (current === null || comesNext) return notOpen;
    if (current.state === 'expired' || current.state === 'cancelled')
      return refusal('Review.Gone', `the review is ${current.state}`);
    if (!this.waiting || round !== current.round) return this.lost(round);
    if (now >= Date.parse(current.deadline)) return refusal('Review.Gone', `its deadline was ${current.deadline}`);
    return null;
  }

  private lost(round: number): ReviewRefusal {
    const { decided, round: present } = this.present();
    if (round > present) return refusal('Review.Changed', `it is at round ${present}; look at the review again`);
    if (decided?.round === round)
      return refusal('Review.Decided', `${decided.by} decided "${decided.kind}" at ${decided.at}`);
    return refusal('Review.Changed', `round ${round} is over; look at the review again`);
  }

  /** The request may be of any shape: somebody may have typed it. */
  private noteRefusal(request: Partial<DecideReview> | null, { code, message }: ReviewRefusal, now: number): void {
    const state: ReviewState | null = this.current?.state ?? null;
    const actor = wrongActor(request?.actor) === null ? (request?.actor?.user ?? null) : null;
    const who = { actor, decision: request?.decision?.kind ?? null };
    this.note({ ...who, action: 'refused', from: state, to: state, note: `${code}: ${message}` }, now);
  }

  private note(line: TrailLine, now: number): void {
    this.trail.add({ ...line, round: this.current?.round ?? 0, at: iso(now) });
  }

  private shown(): ReviewSummary {
    const { proposal } = this;
    const proposed = proposal === null ? null : { kind: proposal.decision.kind, by: proposal.by, at: proposal.at };
    const present = this.present();
    return { ...present, groups: [...present.groups], proposed };
  }

  private present(): Omit<ReviewSummary, 'proposed'> {
    if (this.current === null) throw new TypeError('no review was opened');
    return this.current;
  }
}

const notOpen = refusal('Review.NotOpen', 'the run does not wait for a person yet; look again when it does');

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
