import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { parseFile } from '../parse-file.ts';
import { asParseFailure } from './parse-failure.ts';
import { memoryCeiling, type ParseJob, type ParseReply } from './protocol.ts';
import type { WatchdogOrders } from './watchdog.ts';

/**
 * Entry of a parsing process: one job at a time from its parent, whose process id is the argument, until the parent goes away. No
 * job starts before the watchdog is awake.
 */
const parent = Number(process.argv[2]);
const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: parent });
const awake = once(watchdog, 'message').then(() => watchdog.unref());

function guard(orders: WatchdogOrders): void {
  watchdog.postMessage(orders);
}

async function work(job: ParseJob): Promise<ParseReply> {
  guard({ ceilingBytes: memoryCeiling(job.limits), timeoutMs: job.limits.timeoutMs });
  try {
    const document = await parseFile(job.path, { name: job.name, limits: job.limits, article: job.article ?? false });
    return { result: { document }, rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    return { result: { failure: asParseFailure(error) }, rssBytes: process.memoryUsage.rss() };
  } finally {
    guard({ ceilingBytes: memoryCeiling(job.limits), timeoutMs: null });
  }
}

process.on('message', (job: ParseJob) => {
  void awake.then(() => work(job)).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit(0));
