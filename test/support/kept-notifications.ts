import type { Notifier } from '../../adapters/notify/port.ts';
import type { ReviewNotification } from '../../domain/contracts/notification.ts';

/** A notifier that keeps what it got, in order. */
export function keepingNotifier(): { notifier: Notifier; kept: ReviewNotification[] } {
  const kept: ReviewNotification[] = [];
  const notifier: Notifier = {
    name: 'kept',
    send: (notification) => {
      kept.push(notification);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return { notifier, kept };
}
