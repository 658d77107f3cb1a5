import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { z } from 'zod';
import { usageSchema, type Usage } from '../domain/contracts/answer.ts';

export interface FailureReason {
  /** Dotted type, as `Index.Unavailable`. */
  code: string;
  message: string;
}

/** How a run ended; `usage` of a failed one where its failure tells it. */
export type RunEnd<R> =
  | { status: 'ended'; result: R }
  | { status: 'failed'; reason: FailureReason; usage: Usage | null }
  | { status: 'cancelled' };

/** Waits for the end of a run, as long as the surrounding deadline lets it. @throws errors of the connection as they are */
export async function runEnd<R>(handle: { result(): Promise<R> }): Promise<RunEnd<R>> {
  try {
    return { status: 'ended', result: await handle.result() };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    return endOf(error);
  }
}

function endOf({ cause, message }: WorkflowFailedError): RunEnd<never> {
  if (cause instanceof CancelledFailure) return { status: 'cancelled' };
  return {
    status: 'failed',
    reason: { code: codeOf(cause), message: cause?.message ?? message },
    usage: usageOf(cause),
  };
}

const detailsSchema = z.object({ usage: usageSchema });

/** Null, too, for a run of a version that told none. */
function usageOf(cause: Error | undefined): Usage | null {
  if (!(cause instanceof ApplicationFailure)) return null;
  return detailsSchema.safeParse(cause.details?.[0]).data?.usage ?? null;
}

function codeOf(cause: Error | undefined): string {
  if (cause instanceof ApplicationFailure) return cause.type ?? 'Internal';
  if (cause instanceof TimeoutFailure) return 'Run.TimedOut';
  if (cause instanceof TerminatedFailure) return 'Run.Terminated';
  return 'Internal';
}
