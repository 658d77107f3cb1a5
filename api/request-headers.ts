import type { Request, Response } from 'express';
import { ApiError } from './errors.ts';

/** The caller's idempotency key, if there is one. @throws ApiError `Request.Invalid` */
export function idempotencyKeyOf(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError(
    'Request.Invalid',
    'The Idempotency-Key must be 1–255 visible ASCII characters, for example a UUID.',
  );
}

/** An event of a stream: `mark` tells those of a resumed run from those of the runs before, and is empty for a question's first run. */
export interface SeenEvent {
  seq: number;
  mark: string;
}

/** The last event that a reader saw; number 0 without one, or with one that is not ours. */
export function lastEventSeen(req: Request): SeenEvent {
  const [, seq = '0', mark = ''] = /^(\d{1,9})(?:-([0-9a-f]{8}))?$/.exec(req.get('Last-Event-ID') ?? '') ?? [];
  return { seq: Number(seq), mark };
}

/** Aborted when the connection closes, before or after the response was sent. */
export function abortWhenGone(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
