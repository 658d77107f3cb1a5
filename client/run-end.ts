import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common';

export interface FailureReason {
  /** Dotted type, as `Index.Unavailable`. */
  code: string;
  message: string;
}

/** How a run ended. */
export type RunEnd<R> =
  { status: 'ended'; result: R } | { status: 'failed'; reason: FailureReason } | { status: 'cancelled' };

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
  return { status: 'failed', reason: { code: codeOf(cause), message: cause?.message ?? message } };
}

function codeOf(cause: Error | undefined): string {
  if (cause instanceof ApplicationFailure) return cause.type ?? 'Internal';
  if (cause instanceof TimeoutFailure) return 'Run.TimedOut';
  if (cause instanceof TerminatedFailure) return 'Run.Terminated';
  return 'Internal';
}
