import type { Writable } from 'node:stream';
import { createLogNotifier } from '../adapters/notify/log.ts';
import type { Notifier } from '../adapters/notify/port.ts';
import { createWebhookNotifier } from '../adapters/notify/webhook.ts';

export interface NotifyConfig {
  /** Where the worker's log goes. */
  log: Writable;
  webhook: { url: string; secrets: string[] } | null;
  /** Where people reach the API, for links; null: no links. */
  publicUrl: string | null;
}

/** The log always, a webhook where one is set. */
export function openNotifiers({ log, webhook, publicUrl }: NotifyConfig): Notifier[] {
  const notifiers = [createLogNotifier({ stream: log, publicUrl })];
  if (webhook !== null) notifiers.push(createWebhookNotifier({ ...webhook, publicUrl }));
  return notifiers;
}
