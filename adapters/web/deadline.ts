/**
 * Runs `work` with a signal that aborts with the caller's or after `timeoutMs`. Once the caller's signal is aborted its reason is thrown, whatever
 * `work` threw; after the time, what `overTime` makes.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, timeoutMs, overTime }: { signal: AbortSignal; timeoutMs: number; overTime: () => Error },
): Promise<T> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    throw timeout.aborted ? overTime() : error;
  }
}
