import { PlumblineError } from './failures.ts';
import type { RunEnd } from './run-end.ts';

/** What whoever publishes can mend, as the workflow's run fails with it. */
const mendable = ['Publication.GroupsNeeded', 'Publication.GroupsTooWide', 'Publication.EvidenceGone'] as const;

interface Ended {
  status?: string;
  reason?: { code: string; message: string } | null;
}

/** Why a run that publishes or withdraws came to nothing; null when it did what it was to do. */
export function publicationFailure(end: RunEnd<object>): PlumblineError | null {
  if (end.status === 'cancelled') return failed('the run was cancelled');
  if (end.status === 'failed') {
    const { code, message } = end.reason;
    const known = mendable.find((one) => one === code);
    return known === undefined ? failed(`${code}: ${message}`) : new PlumblineError(known, message);
  }
  const { reason = null }: Ended = end.result;
  return reason === null ? null : failed(`the document was not taken in (${reason.code}: ${reason.message})`);
}

export function notPublishable(id: string, why: string): PlumblineError {
  return new PlumblineError('Review.NotPublishable', `the review of question ${id} cannot be published: ${why}`);
}

export function notPublished(id: string): PlumblineError {
  return new PlumblineError('Publication.NotFound', `no document of the review of question ${id} is published`);
}

export function underWay(): PlumblineError {
  return new PlumblineError(
    'Publication.UnderWay',
    'this document is being published or withdrawn; try again in a moment',
    {
      retryAfterSeconds: 2,
    },
  );
}

/** @throws PlumblineError `Publication.PastValidity` for a day that is over, in UTC */
export function requireComing(validUntil: string | null, now = new Date()): void {
  if (validUntil === null || validUntil >= now.toISOString().slice(0, 10)) return;
  throw new PlumblineError(
    'Publication.PastValidity',
    `${validUntil} is past, so no question would be answered from the document; name a day to come`,
  );
}

function failed(message: string): PlumblineError {
  return new PlumblineError('Publication.Failed', `${message}; mend that and publish again`);
}
