import type { Writable } from 'node:stream';
import { payloadOf } from './payload.ts';
import { NotifyError, type Notifier } from './port.ts';

export interface LogOptions {
  /** Default: standard error. */
  stream?: Writable;
  publicUrl: string | null;
}

/** Writes each notification as a JSON object on a line of its own, as the worker's log has them. */
export function createLogNotifier({ stream = process.stderr, publicUrl }: LogOptions): Notifier {
  return {
    name: 'log',
    async send(notification, signal) {
      signal.throwIfAborted();
      const { type, timestamp, data } = payloadOf(notification, publicUrl);
      const line = { at: new Date().toISOString(), level: 'INFO', message: type, timestamp, ...data };
      await written(stream, `${JSON.stringify(line)}\n`);
    },
    // The stream belongs to whoever gave it.
    close: () => Promise.resolve(),
  };
}

function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (cause) => {
      if (cause) reject(new NotifyError('unavailable', 'The log takes no lines.', { cause }));
      else resolve();
    });
  });
}
