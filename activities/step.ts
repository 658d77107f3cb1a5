import { Context } from '@temporalio/activity';
import type { UsageCall } from '../domain/contracts/answer.ts';
import { resumedCallLog, type CallLog } from './call-log.ts';
import { failing } from './failures.ts';

/** What every step returns beside its result: the time spent in its body, in milliseconds, and the model calls of all its attempts. */
export type Timed<T> = T & { ms: number; calls: UsageCall[] };

/** What a step's body gets beside its input. */
export interface StepContext {
  /** Aborted when the activity is cancelled, and shortly before its time is over: what is cut off then can still say what it cost. */
  signal: AbortSignal;
  /** Takes every model call, also the one that failed, and what is sent to a search. */
  calls: CallLog;
}

/** The body of a step under the error mapper, timed, with heartbeats and the activity's cancellation signal. A failure carries the step's calls in its details. */
export function step<I, O extends object>(
  body: (input: I, context: StepContext) => Promise<O>,
): (input: I) => Promise<Timed<O>> {
  return async (input) => {
    const { cancellationSignal, info } = Context.current();
    const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(ownTime(info.startToCloseTimeoutMs))]);
    const calls = resumedCallLog();
    const started = performance.now();
    const output = await heartbeating(
      () =>
        failing(
          cancellationSignal,
          () => body(input, { signal, calls }),
          () => calls.told(),
        ),
      () => calls.beat(),
    );
    return { ...output, ms: Math.round((performance.now() - started) * 10) / 10, calls: calls.all() };
  };
}

/** What a step has for itself before Temporal gives it up, in milliseconds. */
function ownTime(startToCloseMs: number): number {
  return Math.max(1, Math.floor(startToCloseMs - Math.min(500, startToCloseMs / 10)));
}

/**
 * Keeps the activity's heartbeat going while the body runs; the interval is half of the heartbeat timeout that the workflow set,
 * and no more than a second, since a cancellation comes with the answer to a heartbeat.
 * `beat` sends the details that the next attempt is to find.
 */
export async function heartbeating<T>(
  body: () => Promise<T>,
  beat: () => void = () => Context.current().heartbeat(),
): Promise<T> {
  const timeout = Context.current().info.heartbeatTimeoutMs;
  if (!timeout) return body();
  const timer = setInterval(beat, Math.min(timeout / 2, 1000));
  try {
    return await body();
  } finally {
    clearInterval(timer);
  }
}
