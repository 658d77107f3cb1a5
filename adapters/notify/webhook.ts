import { Webhook } from 'standardwebhooks';
import { payloadOf } from './payload.ts';
import { NotifyError, type Notifier } from './port.ts';
import { statusFault, unreachable } from './webhook-faults.ts';

export interface WebhookOptions {
  /** As `webhookAddressFault` lets it pass. */
  url: string;
  /** Each `whsec_…`; more than one while a secret is changed, and every message is signed with all. */
  secrets: readonly string[];
  publicUrl: string | null;
  /** For one attempt. Default: 15 s, the least that the specification recommends. */
  timeoutMs?: number;
}

/**
 * Posts notifications as Standard Webhooks 1.0 has it: headers `webhook-id`, `webhook-timestamp` (of the attempt) and `webhook-signature`
 * (`v1`, HMAC-SHA256 of id, timestamp and body). Any 2xx counts as taken; the body of the answer is not read. https://www.standardwebhooks.com
 */
export function createWebhookNotifier({ url, secrets, publicUrl, timeoutMs = 15_000 }: WebhookOptions): Notifier {
  const signers = secrets.map((secret) => new Webhook(secret));
  return {
    name: 'webhook',
    async send(notification, signal) {
      const { id } = notification;
      const now = new Date();
      const body = JSON.stringify(payloadOf(notification, publicUrl));
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'plumbline',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(id, now, body)).join(' '),
      };
      const response = await post(url, { init: { headers, body }, timeoutMs, signal });
      // The status has said it all: whatever goes wrong with the rest changes nothing.
      await response.body?.cancel().catch(() => undefined);
      if (!response.ok) throw statusFault(response);
    },
    close: () => Promise.resolve(),
  };
}

/** No redirect is followed: it would take the message elsewhere. @throws NotifyError, or the signal's reason once that is aborted */
async function post(
  url: string,
  { init, timeoutMs, signal }: { init: RequestInit; timeoutMs: number; signal: AbortSignal },
): Promise<Response> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const stop = AbortSignal.any([signal, timeout]);
    return await fetch(url, { ...init, method: 'POST', redirect: 'manual', signal: stop });
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new NotifyError('unavailable', `The webhook gave no answer within ${timeoutMs} ms.`);
    throw unreachable(error);
  }
}
