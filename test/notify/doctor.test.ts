import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { webhookFindings } from '../../launcher/doctor-webhook.ts';
import { freePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { startWebServer } from '../web/support/web-server.ts';
import { secretOf } from './notifications.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const findings = (url: string, patienceMs?: number) =>
  webhookFindings(loadSettings({ PLUMBLINE_WEBHOOK_URL: url, PLUMBLINE_WEBHOOK_SECRET: secretOf(1) }), patienceMs);

describe('the doctor and the webhook', () => {
  test('has nothing to say where there is none', async () => {
    expect(await webhookFindings(loadSettings({}))).toEqual([]);
  });

  test('is content with a server that takes connections, and asks it for nothing', async () => {
    const server = await startWebServer((_, response) => void response.end());
    open.push(() => server.close());
    const [finding] = await findings(`${server.url}/k3y`);
    expect(finding).toMatchObject({ check: 'Webhook', ok: true });
    expect(finding?.detail).toBe(
      `${server.url} takes connections; nothing was sent, so whether it takes notifications was not tried`,
    );
    expect([server.connections(), server.requests]).toEqual([1, []]);
  });

  test('tells a server that is not there, and one without TLS where it should have it', async () => {
    const server = await startWebServer((_, response) => void response.end());
    open.push(() => server.close());
    for (const origin of [`http://127.0.0.1:${await freePort()}`, server.url.replace('http:', 'https:')]) {
      const [finding] = await findings(`${origin}/k3y`);
      expect(finding).toMatchObject({ ok: false, remedy: expect.stringContaining('PLUMBLINE_WEBHOOK_URL') });
      expect(finding?.detail).toContain(origin);
      expect(finding?.detail).not.toContain('k3y');
    }
  });

  test('does not wait for ever', async () => {
    const silent: Server = createServer();
    open.push(() => silent.close());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const [finding] = await findings(`https://127.0.0.1:${port}/`, 100);
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining('within 100 ms') });
  });
});
