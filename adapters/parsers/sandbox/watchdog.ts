import { parentPort, workerData } from 'node:worker_threads';

export interface WatchdogOrders {
  ceilingBytes: number;
  /** Null between jobs. */
  timeoutMs: number | null;
}

/**
 * A thread beside the parser, since a parser in a tight loop hears nothing. Ends the process when it holds too much memory outside of
 * the heap, which V8 does not bound (SIGABRT, as V8 does at the heap's limit), when its parent is gone, or when it is long over time.
 */
const busyMs = 25;
const idleMs = 1_000;
const graceMs = 5_000;
/** Told, not looked up: the parent may be gone before this thread runs. */
const parent = Number(workerData);
let timer = setTimeout(() => undefined, 0);

function watch({ ceilingBytes, timeoutMs }: WatchdogOrders): void {
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs + graceMs;
  clearTimeout(timer);
  timer = setInterval(
    () => {
      if (process.memoryUsage.rss() > ceilingBytes) process.kill(process.pid, 'SIGABRT');
      if (process.ppid !== parent || Date.now() > deadline) process.kill(process.pid, 'SIGKILL');
    },
    timeoutMs === null ? idleMs : busyMs,
  );
}

parentPort?.on('message', watch);
parentPort?.postMessage('awake');
