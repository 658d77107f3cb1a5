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

/** The number of the last event that a reader saw; 0 without one, or with one that is not ours. */
export function lastEventSeen(req: Request): number {
  const given = req.get('Last-Event-ID') ?? '';
  return /^\d{1,9}$/.test(given) ? Number(given) : 0;
}

/** Aborted when the connection closes, before or after the response was sent. */
export function abortWhenGone(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
