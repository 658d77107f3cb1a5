import type { ReviewNotification } from '../../domain/contracts/notification.ts';

/** Takes notifications somewhere, at least once each: whoever gets them tells repetitions by `id`. One attempt a call: retries belong to Temporal. */
export interface Notifier {
  /** Tells it from the others of a worker, in failures and between attempts. */
  readonly name: string;
  /** Resolves once the notification is taken. @throws NotifyError, or the signal's reason once that is aborted */
  send(notification: ReviewNotification, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** `unavailable`: not taken now, perhaps later. `refused`: the same will never be taken. */
export type NotifyErrorCode = 'unavailable' | 'refused';

/** Why a notification was not taken. Messages hold neither the address, whose path may be a secret, nor anything of the answer. */
export class NotifyError extends Error {
  readonly code: NotifyErrorCode;
  readonly retryable: boolean;
  /** When the receiver wants to be asked again at the earliest, in milliseconds from now. */
  readonly retryAfterMs: number | null;
  constructor(code: NotifyErrorCode, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'NotifyError';
    this.code = code;
    this.retryable = code === 'unavailable';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
