import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Finding, Outcome } from './doctor-finding.ts';
import { messageOf } from './errors.ts';
import type { Settings } from './settings.ts';

/** Connects to the webhook's server, with TLS where it has it, and asks for nothing: whatever were sent could count as a notification. */
export async function webhookFindings({ notify }: Settings, patienceMs = 5_000): Promise<Finding[]> {
  return notify.webhook === null ? [] : [{ check: 'Webhook', ...(await connects(notify.webhook.url, patienceMs)) }];
}

async function connects(url: string, patienceMs: number): Promise<Outcome> {
  // The path may be a secret.
  const { origin, protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const at = { host, port: Number(port) || (secure ? 443 : 80) };
  try {
    await opened(secure ? connectTls({ ...at, ...(isIP(host) ? {} : { servername: host }) }) : connectTcp(at), {
      event: secure ? 'secureConnect' : 'connect',
      patienceMs,
    });
    const what = secure ? 'takes connections and has a trusted certificate' : 'takes connections';
    return { ok: true, detail: `${origin} ${what}; nothing was sent, so whether it takes notifications was not tried` };
  } catch (error) {
    const remedy = 'Check PLUMBLINE_WEBHOOK_URL, that its server runs, and the network.';
    return { ok: false, detail: `${origin}: ${messageOf(error)}`, remedy };
  }
}

async function opened(
  socket: Socket,
  { event, patienceMs }: { event: 'connect' | 'secureConnect'; patienceMs: number },
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, resolve).once('error', reject);
      socket.setTimeout(patienceMs, () => reject(new Error(`no connection within ${patienceMs} ms`)));
    });
  } finally {
    socket.destroy();
  }
}
