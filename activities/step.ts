import { Context } from '@temporalio/activity';
import { failing } from './failures.ts';

/** What every step returns beside its result: the time spent in its body, in milliseconds. */
export type Timed<T> = T & { ms: number };

/** The body of a step under the error mapper, timed, with the activity's cancellation signal. */
export function step<I, O extends object>(
  body: (input: I, signal: AbortSignal) => Promise<O>,
): (input: I) => Promise<Timed<O>> {
  return async (input) => {
    const signal = Context.current().cancellationSignal;
    const started = performance.now();
    const output = await failing(signal, () => body(input, signal));
    return { ...output, ms: Math.round((performance.now() - started) * 10) / 10 };
  };
}

/** Keeps the activity's heartbeat going while the body runs; the interval is half of the heartbeat timeout that the workflow set. */
export async function heartbeating<T>(body: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timeout = context.info.heartbeatTimeoutMs;
  if (!timeout) return body();
  const timer = setInterval(() => context.heartbeat(), timeout / 2);
  try {
    return await body();
  } finally {
    clearInterval(timer);
  }
}
