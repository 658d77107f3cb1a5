export interface StopSignal {
  /** Resolves at the first SIGINT or SIGTERM. */
  signalled: Promise<void>;
  /** Aborted at the same moment. */
  signal: AbortSignal;
  received(): boolean;
  /** Leaves signals to Node again. */
  release(): void;
}

/** The first SIGINT or SIGTERM asks for a clean stop; a second one ends the process at once. */
export function stopSignal(): StopSignal {
  const { promise: signalled, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  const listener = (signal: NodeJS.Signals) => {
    if (abort.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
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
