import type { Policy } from '../contracts/policy.ts';

/** Noted with a question's run at its start, so that its worker knows it before the first step. */
export interface WaitNote {
  /** Whether the run may wait for a person, for days. */
  mayWait: boolean;
}

export function waitNote({ review }: Pick<Policy, 'review'>): WaitNote {
  return { mayWait: review.on.length > 0 };
}

/** Whether a run with this memo surely waits for nobody; not for one that was started without the note. */
export function isShort(memo: Record<string, unknown> | undefined): boolean {
  return memo?.['mayWait'] === false;
}
