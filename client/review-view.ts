import type { AuditEntry } from '../domain/contracts/audit.ts';
import type { Decided, ReviewState, ReviewSummary, TrailEntry } from '../domain/contracts/review.ts';
import type { ReviewReason } from '../domain/contracts/review-policy.ts';
import type { ReviewedEvidence, ReviewFile } from '../domain/contracts/run.ts';
import type { WaitingState } from './noted-review.ts';
import type { RunRef } from './question-view.ts';

/** One line of the inbox. Times are ISO 8601 in UTC. */
export interface ReviewLine {
  id: string;
  question: string;
  /** Who asked. */
  user: string;
  round: number;
  reason: ReviewReason;
  state: WaitingState;
  claimedBy: string | null;
  proposed: ReviewSummary['proposed'];
  openedAt: string;
  deadline: string;
  askedAt: string;
  run: RunRef;
}

export interface ReviewPage {
  reviews: ReviewLine[];
  /** The `before` of the next page; null at the end. */
  next: string | null;
}

export interface ReviewFilter {
  limit: number;
  state?: WaitingState | undefined;
  reason?: ReviewReason | undefined;
  /** From `next` of the page before. */
  before?: string | undefined;
}

/** Where a run stands that takes no decision any more. */
export interface FinalState {
  /** Status of the question: `answered`, `cancelled`, `failed`, …; `running` or `awaiting_review` while its end is on the way. */
  status: string;
  review: ReviewState | null;
  decided: Decided | null;
  endedAt: string | null;
}

/** A review. `status` and `draft` are of the outcome that was to be. */
export interface ReviewView extends ReviewFile {
  id: string;
  question: string;
  /** Who asked. */
  user: string;
  askedAt: string;
  /** Null while the run goes on. */
  finalState: FinalState | null;
  run: RunRef;
}

/** A passage with its text. `gone`: deleted, replaced, expired, or closed to this reviewer. `text` null: gone, or not to be read here. */
export interface ReadEvidence extends Omit<ReviewedEvidence, 'quotes'> {
  text: string | null;
  gone: boolean;
  quotes: { start: number; end: number; text: string | null }[];
}

/** A review as `GET /v1/reviews/{id}` returns it. */
export interface ReadReview extends Omit<ReviewView, 'evidence'> {
  evidence: ReadEvidence[];
}

/**
 * The run's own trail, by time, with what the run does not know: what was refused before it came to it, that it was resumed from an earlier step, and
 * what had been decided after that step.
 */
export function wholeTrail(trail: readonly TrailEntry[], audit: readonly AuditEntry[]): TrailEntry[] {
  const more = audit.flatMap((entry) => {
    if (entry.result !== 'accepted') return [refusalOf(entry)];
    if (entry.action === 'resume') return [lineOf(entry, 'resumed')];
    return entry.action === 'decide' && isUndone(entry, trail) ? [lineOf(entry, 'undone')] : [];
  });
  return [...trail, ...more].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** A first decision that the run took and has no trace of. */
function isUndone({ actor, decision, round }: AuditEntry, trail: readonly TrailEntry[]): boolean {
  if (decision === 'approve' || decision === 'decline') return false;
  return !trail.some((line) => line.actor === actor && line.decision === decision && line.round === round);
}

function lineOf({ at, actor, round, from, to, decision, note }: AuditEntry, action: TrailEntry['action']): TrailEntry {
  return { at, actor, action, round: round ?? 0, from, to, decision, note };
}

function refusalOf({ at, actor, action, round, from, to, decision, result, note }: AuditEntry): TrailEntry {
  const what = decision === null ? `${action}: ` : '';
  const why = note === null ? result : `${result}: ${note}`;
  return { at, actor, action: 'refused', round: round ?? 0, from, to, decision, note: what + why };
}
