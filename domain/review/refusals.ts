/** Why something asked of a review is refused. Every code has one line in the API's table of errors. */
export type ReviewRefusalCode =
  /** The request itself is wrong: says what to send instead. */
  | 'Review.Invalid'
  /** This person may not: no reviewer, not of the group, their own question, their own proposal. */
  | 'Review.NotAllowed'
  /** Too early: the run does not wait for a person yet. */
  | 'Review.NotOpen'
  /** Somebody else was first. */
  | 'Review.Decided'
  /** The review has come to another round, or waits for something else than what was sent. */
  | 'Review.Changed'
  /** Somebody else has claimed it. */
  | 'Review.Claimed'
  /** Too late: the deadline has passed, or the review is closed. */
  | 'Review.Gone'
  /** The request id came with another request before. */
  | 'Review.KeyReused';

export interface ReviewRefusal {
  code: ReviewRefusalCode;
  message: string;
}

export function refusal(code: ReviewRefusalCode, message: string): ReviewRefusal {
  return { code, message };
}
