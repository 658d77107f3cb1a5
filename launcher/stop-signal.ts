export interface StopSignal {
  /** Resolves at the first SIGINT or SIGTERM. */
  signalled: Promise<void>;
  /** Aborted at the same moment. */
  signal: AbortSignal;
  received(): boolean;
  /** Leaves signals to Node again. */
  release(): void;
}

/** A terminal and a parent process may both hand on one Ctrl-C; within this time, in ms, they count as one. */
const sameSignalMs = 1000;

/** The first SIGINT or SIGTERM asks for a clean stop; a second one ends the process at once. */
export function stopSignal(): StopSignal {
  const { promise: signalled, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let receivedAt = 0;
  const listener = (signal: NodeJS.Signals) => {
    if (abort.signal.aborted) {
      if (performance.now() - receivedAt > sameSignalMs) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    receivedAt = performance.now();
    abort.abort();
    resolve();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    signalled,
    signal: abort.signal,
    received: () => abort.signal.aborted,
    release: () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    },
  };
}
