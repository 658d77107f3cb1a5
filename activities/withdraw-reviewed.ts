import type { IndexPort } from '../adapters/index/port.ts';
import type { WithdrawReviewInput } from '../domain/contracts/publication.ts';
import { alive } from './ingestion/heartbeat.ts';

/** Removes a reviewed document with its passages. False when it was not there. */
export function createWithdrawReviewed({ index }: { index: Pick<IndexPort, 'deleteDocument'> }) {
  return ({ tenant, documentId }: WithdrawReviewInput): Promise<boolean> =>
    alive(() => index.deleteDocument(tenant, documentId));
}
