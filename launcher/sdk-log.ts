import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** `logs/worker.log` of the data folder, for what is started by hand: its terminal stays readable. */
export function logFile(logs: string): { stream: Writable; close: () => Promise<void> } {
  const stream = createWriteStream(join(logs, 'worker.log'), { flags: 'a' });
  return { stream, close: () => new Promise((resolve) => stream.end(resolve)) };
}

/**
 * Sends the Temporal SDK's log to the stream, a JSON object a line, and leaves signals to us, so that a stop goes in our order.
 * Once a process, before the first connection.
 */
export function installRuntime(stream: Writable): void {
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, timestampNanos, message, meta }) => {
    const at = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    stream.write(`${JSON.stringify({ at, level, message, ...meta }, withErrors)}\n`);
  });
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }), forward: {} } },
  });
}

let installed = false;

/** As `installRuntime`, where it was not called in this process before. */
export function ensureRuntime(stream: Writable): void {
  if (!installed) installRuntime(stream);
}

function withErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
