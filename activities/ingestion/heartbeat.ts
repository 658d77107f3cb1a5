import { Context } from '@temporalio/activity';
import { failing } from '../failures.ts';
import { heartbeating } from '../step.ts';

/** Runs a step's body under the mapper of failures, with heartbeats: a dead worker is noticed soon, and a cancellation reaches the body through the signal. */
export function alive<T>(body: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { cancellationSignal } = Context.current();
  return failing(cancellationSignal, () => heartbeating(() => body(cancellationSignal)));
}

/** Lets other work of this process run; a long document is split and counted in between. */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
