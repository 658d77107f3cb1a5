import { Context } from '@temporalio/activity';
import { NotifyError, type Notifier } from '../adapters/notify/port.ts';
import { reviewNotificationSchema, type ReviewNotification } from '../domain/contracts/notification.ts';
import { failing } from './failures.ts';
import { heartbeating } from './step.ts';

export interface NotifyReviewerInput {
  notification: ReviewNotification;
}

/** What is settled of a notification, by the names of the notifiers; it outlives the attempt in the heartbeat and in the failure's details. */
export interface Deliveries {
  delivered: string[];
  /** Who will never take it, and why. */
  refused: Record<string, string>;
}

export interface NotifyReviewerDependencies {
  notifiers: readonly Notifier[];
}

/**
 * Sends a notification by every notifier. Each is on its own: one that fails keeps none of the others from it, and a retry does not go again to those
 * where it is settled. Give it 30 s from start to close and many attempts: receivers may be away for hours.
 * Fails as `Notify.Unavailable` while one may still take it, else as `Notify.Refused` if one never will.
 */
export function createNotifyReviewer({ notifiers }: NotifyReviewerDependencies) {
  return (input: NotifyReviewerInput): Promise<Deliveries> => {
    const { cancellationSignal: signal, info } = Context.current();
    const { delivered = [], refused = {} } = (info.heartbeatDetails ?? {}) as Partial<Deliveries>;
    const settled: Deliveries = { delivered: [...delivered], refused: { ...refused } };
    const beat = () => Context.current().heartbeat(settled);
    const body = async () => {
      const notification = reviewNotificationSchema.parse(input.notification);
      const open = notifiers.filter(({ name }) => !delivered.includes(name) && !Object.hasOwn(refused, name));
      const attempts = open.map((notifier) => attempt(notifier, { notification, settled, signal }).then(beat));
      const ended = await Promise.allSettled(attempts);
      const errors = ended.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
      if (errors.length > 0) throw longestWait(errors);
      const refusals = Object.values(settled.refused);
      if (refusals.length > 0) throw new NotifyError('refused', refusals.join(' '));
      return settled;
    };
    return heartbeating(() => failing(signal, body, () => settled), beat);
  };
}

/** Resolves when it is settled, one way or the other. @throws what may pass with time */
async function attempt(
  notifier: Notifier,
  { notification, settled, signal }: { notification: ReviewNotification; settled: Deliveries; signal: AbortSignal },
): Promise<void> {
  try {
    await notifier.send(notification, signal);
    settled.delivered.push(notifier.name);
  } catch (error) {
    if (!(error instanceof NotifyError) || error.retryable) throw error;
    settled.refused[notifier.name] = error.message;
  }
}

/** One attempt is made for all that are left, so the one that asks for the most patience is heard. */
function longestWait(errors: unknown[]): unknown {
  const waitOf = (error: unknown) => (error instanceof NotifyError ? (error.retryAfterMs ?? 0) : 0);
  return errors.reduce((longest, error) => (waitOf(error) > waitOf(longest) ? error : longest));
}
