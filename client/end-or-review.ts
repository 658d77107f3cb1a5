import type { Client } from '@temporalio/client';
import { PlumblineError } from './failures.ts';
import type { QuestionHandle } from './found-question.ts';
import { isWaiting, notedReview } from './noted-review.ts';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { RunEnd } from './run-end.ts';
import { callTemporal, endWithin } from './temporal-calls.ts';

/** How often a run is looked at, in ms: it notes that it waits for a person, but nothing tells of it. */
const pollMs = 250;

/** The end of a run; `awaits` as soon as it waits for a person, who may take days; null when the time is over first. */
export async function endOrReview(
  client: Client,
  handle: QuestionHandle,
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
): Promise<RunEnd<Outcome> | 'awaits' | null> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  const end = endWithin(client, handle, { ms, signal: either }).finally(() => over.abort());
  // Whoever awaits it comes later: until then its failure is no unhandled one.
  end.catch(() => undefined);
  if (!(await awaitsReview(client, handle, over.signal))) return end;
  over.abort();
  return 'awaits';
}

async function awaitsReview(client: Client, handle: QuestionHandle, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    try {
      const { memo } = await callTemporal(client, () => handle.describe(), { signal: over });
      if (isWaiting(notedReview(memo))) return true;
    } catch (error) {
      // Temporal is away, or the waiting is over: whoever waits for the end knows.
      if (!(error instanceof PlumblineError)) throw error;
    }
    await pause(over);
  }
  return false;
}

function pause(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (over.aborted) wake();
    else over.addEventListener('abort', wake, { once: true });
  });
}
