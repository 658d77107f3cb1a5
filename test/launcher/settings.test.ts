import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LauncherError } from '../../launcher/errors.ts';
import { loadSettings } from '../../launcher/settings.ts';

function refusal(env: Record<string, string>): LauncherError {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof LauncherError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('settings', () => {
  test('an empty environment gives the embedded way on this machine only', () => {
    const settings = loadSettings({});
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve(import.meta.dirname, '../../.plumbline'),
      modelDir: null,
      elasticsearch: null,
      temporal: {
        external: false,
        address: '127.0.0.1:7233',
        namespace: 'default',
        uiPort: 8233,
        cliPath: null,
        tls: null,
      },
    });
    expect(settings.cacheDir.startsWith(homedir())).toBe(true);
  });

  test('an empty value counts as not set', () => {
    expect(loadSettings({ PLUMBLINE_PORT: '', TEMPORAL_ADDRESS: '', ELASTICSEARCH_URL: '' })).toEqual(loadSettings({}));
  });

  test('the cache follows XDG_CACHE_HOME and PLUMBLINE_CACHE_DIR goes before it', () => {
    expect(loadSettings({ XDG_CACHE_HOME: '/x' }).cacheDir).toBe(join('/x', 'plumbline'));
    expect(loadSettings({ XDG_CACHE_HOME: '/x', PLUMBLINE_CACHE_DIR: 'here' }).cacheDir).toBe(resolve('here'));
  });

  test.each(['0x50', '-1', '65536', '80.5', 'http', ' 80', '123456'])('port %j is refused by name', (value) => {
    const error = refusal({ PLUMBLINE_PORT: value });
    expect(error.code).toBe('Settings.Invalid');
    expect(error.message).toContain('PLUMBLINE_PORT');
  });

  test.each([
    '127.0.0.1',
    'intranet:8443',
    '10.0.0.7:0',
    '10.0.0.7:65536',
    'fd00::7:443',
    '10.0.0.7:443,',
    '010.0.0.7:80',
  ])('allowed address %j is refused by name, with what it must be', (value) => {
    const { code, message } = refusal({ PLUMBLINE_WEB_ALLOWED_ADDRESSES: value });
    expect(code).toBe('Settings.Invalid');
    expect(message).toMatch(/PLUMBLINE_WEB_ALLOWED_ADDRESSES must be pairs .* 10\.0\.0\.7:443/);
  });

  test('allowed addresses are pairs as connections name them', () => {
    const { web } = loadSettings({ PLUMBLINE_WEB_ALLOWED_ADDRESSES: '10.0.0.7:443, [FD00:0::7]:8443' });
    expect(web.allowedAddresses).toEqual(['10.0.0.7:443', '[fd00::7]:8443']);
  });

  test('port 0 (any free one) is for the API only', () => {
    expect(loadSettings({ PLUMBLINE_PORT: '0' }).port).toBe(0);
    expect(refusal({ PLUMBLINE_TEMPORAL_PORT: '0' }).message).toContain('PLUMBLINE_TEMPORAL_PORT');
  });

  test('the same port for two listeners is refused', () => {
    expect(refusal({ PLUMBLINE_PORT: '8233' }).message).toContain('PLUMBLINE_TEMPORAL_UI_PORT');
  });

  test('every wrong variable is named at once', () => {
    const { message } = refusal({ PLUMBLINE_PORT: 'x', TEMPORAL_ADDRESS: 'https://a', ELASTICSEARCH_URL: 'localhost' });
    expect(message).toContain('PLUMBLINE_PORT');
    expect(message).toContain('TEMPORAL_ADDRESS');
    expect(message).toContain('ELASTICSEARCH_URL');
  });

  test('a cluster of its own is used as given, with TLS as soon as there is a key', () => {
    const { temporal } = loadSettings({
      TEMPORAL_ADDRESS: 'cloud.example:7233',
      TEMPORAL_NAMESPACE: 'ns.acct',
      TEMPORAL_API_KEY: 'k',
    });
    expect(temporal).toMatchObject({
      external: true,
      address: 'cloud.example:7233',
      namespace: 'ns.acct',
      apiKey: 'k',
    });
    expect(temporal.tls).not.toBeNull();
    expect(loadSettings({ TEMPORAL_ADDRESS: 'inside:7233' }).temporal.tls).toBeNull();
    expect(
      loadSettings({ TEMPORAL_ADDRESS: 'inside:7233', TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' }).temporal.tls,
    ).toBeNull();
  });

  test('half a client certificate is refused', () => {
    const error = refusal({ TEMPORAL_ADDRESS: 'c:7233', TEMPORAL_TLS_CLIENT_CERT_PATH: '/c.pem' });
    expect(error.message).toContain('TEMPORAL_TLS_CLIENT_KEY_PATH');
  });

  test('the address of the Temporal UI: of the embedded server, none for a cluster, or the one that is told', () => {
    expect(loadSettings({ PLUMBLINE_TEMPORAL_UI_PORT: '9000' }).temporal.uiUrl).toBe('http://127.0.0.1:9000');
    expect(loadSettings({ TEMPORAL_ADDRESS: 'temporal:7233' }).temporal.uiUrl).toBeNull();
    const told = { TEMPORAL_ADDRESS: 'temporal:7233', PLUMBLINE_TEMPORAL_UI_URL: 'https://temporal.example.com/ui/' };
    expect(loadSettings(told).temporal.uiUrl).toBe('https://temporal.example.com/ui');
  });

  test('a worker tells its health only where a port is given', () => {
    expect(loadSettings({}).workerPort).toBeNull();
    expect(loadSettings({ PLUMBLINE_WORKER_PORT: '8081' }).workerPort).toBe(8081);
    expect(refusal({ PLUMBLINE_WORKER_PORT: '0' }).message).toContain('PLUMBLINE_WORKER_PORT');
  });

  test('a Redis address must be one, and a wrong one is not shown', () => {
    expect(loadSettings({ REDIS_URL: 'rediss://:secret@redis:6379' }).redisUrl).toBe('rediss://:secret@redis:6379');
    const { message } = refusal({ REDIS_URL: 'http://:secret@redis:6379' });
    expect(message).toContain('REDIS_URL');
    expect(message).not.toContain('secret');
  });

  test('without keys no provider is configured, and questions go by the default policy', () => {
    const { models, policies } = loadSettings({});
    expect(models).toEqual({
      anthropic: null,
      openai: null,
      compatible: null,
      pairScorers: { crossEncoderDir: null, entailmentDir: null },
      prices: null,
    });
    expect(policies).toEqual({ byDefault: 'default', dir: null });
  });

  test('keys, addresses, folders and files of models are read', () => {
    const { models, policies } = loadSettings({
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: 'https://gateway.example/v1',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:11434/v1',
      PLUMBLINE_CROSS_ENCODER_DIR: 'models/ce',
      PLUMBLINE_PRICES: 'prices.json',
      PLUMBLINE_POLICY: 'house',
      PLUMBLINE_POLICIES: 'policies-of-ours',
    });
    expect(models).toEqual({
      anthropic: { apiKey: 'a', baseUrl: null },
      openai: { apiKey: 'o', baseUrl: 'https://gateway.example/v1' },
      compatible: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: null },
      pairScorers: { crossEncoderDir: resolve('models/ce'), entailmentDir: null },
      prices: resolve('prices.json'),
    });
    expect(policies).toEqual({ byDefault: 'house', dir: resolve('policies-of-ours') });
  });

  test('an address without a key configures nothing, a compatible server needs none', () => {
    const { models } = loadSettings({
      ANTHROPIC_BASE_URL: 'http://localhost:1',
      OPENAI_BASE_URL: 'http://localhost:1',
      OPENAI_COMPATIBLE_API_KEY: 'k',
    });
    expect([models.anthropic, models.openai, models.compatible]).toEqual([null, null, null]);
  });

  test.each([
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENAI_COMPATIBLE_API_KEY',
    'TEMPORAL_API_KEY',
    'ELASTICSEARCH_API_KEY',
  ])('a wrong %s is named, and not shown', (name) => {
    const { message } = refusal({ [name]: 'sk-secret\nsecond line' });
    expect(message).toContain(name);
    expect(message).not.toContain('secret');
  });

  test.each(['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'OPENAI_COMPATIBLE_BASE_URL'])(
    'credentials in %s are refused, and not shown',
    (name) => {
      const { message } = refusal({ [name]: 'https://me:secret@models.example/v1' });
      expect(message).toContain(name);
      expect(message).not.toContain('secret');
    },
  );
});
