import { reviewSummarySchema, type ReviewState, type ReviewSummary } from '../domain/contracts/review.ts';

/** The states of a review in which the run waits for a person. */
export const waitingStates = ['open', 'claimed', 'proposed'] as const satisfies ReviewState[];
export type WaitingState = (typeof waitingStates)[number];

/** How a run's review stands, as the run has noted it in its memo; null where no person was asked. */
export function notedReview(memo: Record<string, unknown> | undefined): ReviewSummary | null {
  return reviewSummarySchema.safeParse(memo?.['review']).data ?? null;
}

export function isWaiting(review: ReviewSummary | null): boolean {
  return review !== null && waitingStates.some((state) => state === review.state);
}
