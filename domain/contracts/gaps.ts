import type { DecisionKind } from './review-policy.ts';
import type { ReviewState } from './review.ts';

/** What the workflow `groupQuestions` is started with: different texts, and how often each was asked. */
export interface GroupQuestionsInput {
  questions: { text: string; weight: number }[];
}

/** A question that was not answered, or not without a person. Times are ISO 8601 in UTC. */
export interface GapRun {
  id: string;
  question: string;
  /** As lists of questions tell it. */
  status: string;
  /** Code of why it was not answered. */
  reason: string | null;
  askedAt: string;
  /** Groups that the asker had. */
  groups: string[];
  review: { state: ReviewState; decided: DecisionKind | null } | null;
}

/** A question that was answered in full. */
export interface AnsweredRun {
  id: string;
  question: string;
  askedAt: string;
  groups: string[];
}

/** A reviewed document that answers today. */
export interface PublishedReview {
  questionId: string;
  at: string;
  /** Who may read it; empty: everybody of the tenant. */
  groups: string[];
}

/** A reviewed document that answers no more: withdrawn, or past its last day. */
export interface EndedPublication {
  questionId: string;
  /** ISO time of its end. */
  at: string;
}

/** Questions that mean the same. */
export interface GapGroup {
  /** The most central one, as it was asked last. */
  question: string;
  /** How often they were asked. */
  count: number;
  abstained: number;
  partlyAnswered: number;
  /** Those that a person was asked about, whatever came of it. */
  reviewed: number;
  /** Codes of why they were not answered, the most frequent first. */
  reasons: { code: string; count: number }[];
  lastAsked: string;
  /** Ids, newest first. */
  questions: string[];
  /** Aspects that the newest ones lacked. */
  missing: string[];
  /** What would close the gap, in words. */
  closes: string[];
  /** None waits for a reviewer, and since each was asked a reviewed document was published that its asker may read, or the same was answered; both stand. */
  closed: boolean;
}

/** As `GET /v1/gaps` returns it. */
export interface GapReport {
  since: string;
  /** Questions looked at. */
  questions: number;
  /** True when there were more than can be looked at; the newest were. */
  truncated: boolean;
  groups: GapGroup[];
  /** Groups that are not shown. */
  omitted: { closed: number; open: number };
}
