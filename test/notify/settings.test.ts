import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { LauncherError } from '../../launcher/errors.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { openNotifiers } from '../../worker/open-notifiers.ts';
import { secretOf } from './notifications.ts';

const url = 'https://hooks.example/plumbline';
const [secret, next] = [secretOf(1), secretOf(2)];

function refusal(env: Record<string, string>): string {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof LauncherError && error.code === 'Settings.Invalid') return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('settings of notifications', () => {
  test('without them the log alone is told, without links', () => {
    const { notify } = loadSettings({});
    expect(notify).toEqual({ webhook: null, publicUrl: null });
    expect(openNotifiers({ ...notify, log: new PassThrough() }).map(({ name }) => name)).toEqual(['log']);
  });

  test('a webhook is told beside the log', () => {
    const env = {
      PLUMBLINE_WEBHOOK_URL: url,
      PLUMBLINE_WEBHOOK_SECRET: `${secret}, ${next}`,
      PLUMBLINE_PUBLIC_URL: 'https://plumbline.example/house/',
    };
    const { notify } = loadSettings(env);
    expect(notify).toEqual({
      webhook: { url, secrets: [secret, next] },
      publicUrl: 'https://plumbline.example/house',
    });
    expect(openNotifiers({ ...notify, log: new PassThrough() }).map(({ name }) => name)).toEqual(['log', 'webhook']);
  });

  test('address and secret go together', () => {
    expect(refusal({ PLUMBLINE_WEBHOOK_URL: url })).toMatch(/PLUMBLINE_WEBHOOK_URL needs PLUMBLINE_WEBHOOK_SECRET/);
    expect(refusal({ PLUMBLINE_WEBHOOK_SECRET: secret })).toMatch(/PLUMBLINE_WEBHOOK_SECRET needs/);
  });

  test.each([
    'whsec_',
    'password',
    secret.slice('whsec_'.length),
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${Buffer.alloc(25).toString('base64').replaceAll('=', '')}`,
    `${secret},`,
  ])('%j is no secret, and is not repeated', (wrong) => {
    const message = refusal({ PLUMBLINE_WEBHOOK_URL: url, PLUMBLINE_WEBHOOK_SECRET: wrong });
    expect(message).toContain('PLUMBLINE_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes');
    if (wrong !== 'whsec_') expect(message).not.toContain(wrong);
  });

  test.each([
    'http://localhost:9000/',
    'http://127.0.0.1/x',
    'http://127.1/',
    'http://[::1]:9000/',
    'https://10.0.0.7/',
  ])('a webhook may be at %s', (address) => {
    const env = { PLUMBLINE_WEBHOOK_URL: address, PLUMBLINE_WEBHOOK_SECRET: secret };
    expect(loadSettings(env).notify.webhook?.url).toBe(address);
  });

  test.each([
    'http://hooks.example/',
    'http://10.0.0.7/',
    'http://localhost.example/',
    'http://127.0.0.1.example/',
    'http://[::]/',
  ])('a webhook at %s needs to be allowed', (address) => {
    const env = { PLUMBLINE_WEBHOOK_URL: address, PLUMBLINE_WEBHOOK_SECRET: secret };
    expect(refusal(env)).toContain('PLUMBLINE_WEBHOOK_URL must be https');
    expect(refusal({ ...env, PLUMBLINE_WEBHOOK_ALLOW_HTTP: 'false' })).toContain('must be https');
    expect(loadSettings({ ...env, PLUMBLINE_WEBHOOK_ALLOW_HTTP: 'true' }).notify.webhook?.url).toBe(address);
  });

  test.each(['ftp://hooks.example/', 'hooks.example', 'https://me:k3y@hooks.example/'])('%s is refused', (address) => {
    const message = refusal({ PLUMBLINE_WEBHOOK_URL: address, PLUMBLINE_WEBHOOK_SECRET: secret });
    expect(message).toContain('PLUMBLINE_WEBHOOK_URL must');
    expect(message).not.toContain(address);
  });

  test.each(['https://plumbline.example/?a=b', 'https://plumbline.example/#top', 'plumbline.example'])(
    'links cannot begin with %s',
    (address) => {
      expect(refusal({ PLUMBLINE_PUBLIC_URL: address })).toContain('PLUMBLINE_PUBLIC_URL must');
    },
  );
});
