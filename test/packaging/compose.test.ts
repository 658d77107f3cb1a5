import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadSettings, settingNames } from '../../launcher/settings.ts';
import {
  compose,
  envExample,
  interpolated,
  oneShot,
  read,
  root,
  services,
  type ComposeService,
} from './compose-file.ts';

const passwords = { POSTGRES_PASSWORD: 'aa11', ELASTIC_PASSWORD: 'bb22', REDIS_PASSWORD: 'cc33' };
const halves = ['api', 'worker'] as const;

function serviceOf(name: string): ComposeService {
  const found = compose.services[name];
  if (!found) throw new Error(`no service ${name}`);
  return found;
}

/** A value as Compose would fill it in, with the passwords and else the defaults. */
function filled(value: string, env: Record<string, string> = passwords): string {
  const [{ name, rest } = { name: '', rest: '' }] = interpolated(value);
  if (name === '') return value.replaceAll('$$', '$');
  const standard = rest.startsWith(':-') ? filled(rest.slice(2), env) : '';
  return filled(value.replace(`\${${name}${rest}}`, env[name] || standard), env);
}

describe('docker-compose.yml', () => {
  test('has what the production way needs', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['api', 'worker', 'temporal', 'temporal-ui', 'postgresql', 'elasticsearch', 'redis']),
    );
    expect(halves.map((half) => serviceOf(half).command)).toEqual([['api'], ['worker']]);
  });

  test.each(services)('%s: its image is pinned to a version', (_name, { image }) => {
    expect(image).toMatch(/^[a-z]+(\/[a-z-]+)?:\d+\.\d+(\.\d+)?$/);
  });

  test('the image that is built here has the version of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(halves.map((half) => serviceOf(half).image)).toEqual([`plumbline:${version}`, `plumbline:${version}`]);
  });

  test('Temporal and its tools have one version', () => {
    const versions = ['temporal', 'temporal-schema', 'temporal-namespace'].map(
      (name) => serviceOf(name).image.split(':')[1],
    );
    expect(new Set(versions).size).toBe(1);
  });

  test.each(services.filter(([name]) => !oneShot.has(name)))(
    '%s: runs on, is watched, bounded and started again',
    (_name, { healthcheck, restart, deploy }) => {
      expect(healthcheck).toBeDefined();
      expect(restart).toBe('unless-stopped');
      expect(deploy?.resources.limits.memory).toMatch(/^(\d+[MG]|\$\{[A-Z_]+:-\d+G\})$/);
    },
  );

  test.each(services.filter(([name]) => oneShot.has(name)))(
    '%s: ends, and is tried again a few times',
    (_name, { restart }) => {
      expect(restart).toMatch(/^on-failure:\d$/);
    },
  );

  test.each(services)('%s: waits for services that are there, and for their health or end', (_name, { depends_on }) => {
    for (const [name, { condition }] of Object.entries(depends_on))
      expect(condition).toBe(
        oneShot.has(name) ? 'service_completed_successfully' : serviceOf(name).healthcheck && 'service_healthy',
      );
  });

  test.each(services)('%s: publishes nothing but on this machine', (name, { ports }) => {
    for (const port of ports) expect(filled(port)).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    expect(ports.length > 0).toBe(['api', 'temporal-ui'].includes(name));
  });

  test('databases and Redis are on the internal network only', () => {
    for (const name of ['postgresql', 'elasticsearch', 'redis', 'temporal'])
      expect(serviceOf(name).networks).toEqual(['internal']);
  });

  test.each(services)('%s: what it mounts from here is here', (_name, { volumes }) => {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) expect(existsSync(join(root, source))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  test('worker and API share one data folder', () => {
    for (const half of halves) expect(serviceOf(half).volumes).toContain('data:/data');
    expect(read('Dockerfile')).toContain('PLUMBLINE_DATA_DIR=/data');
  });
});

describe('what worker and API are given', () => {
  test.each(halves)('%s: every variable is a setting that is read', (half) => {
    for (const name of Object.keys(serviceOf(half).environment)) expect(settingNames).toContain(name);
  });

  test.each(halves)('%s: the settings are accepted, and reach the services by their names and ports', (half) => {
    const given = Object.entries(serviceOf(half).environment).map(([name, value]) => [name, filled(value)]);
    const settings = loadSettings(Object.fromEntries(given) as Record<string, string>);
    expect(settings).toMatchObject({
      temporal: { external: true, address: 'temporal:7233', namespace: 'default' },
      elasticsearch: { url: 'http://elastic:bb22@elasticsearch:9200' },
      redisUrl: 'redis://:cc33@redis:6379',
    });
    const [host] = settings.temporal.address.split(':');
    for (const name of [host, 'elasticsearch', 'redis']) expect(Object.keys(compose.services)).toContain(name);
  });

  test('the links to runs lead to the published UI', () => {
    const { PLUMBLINE_TEMPORAL_UI_URL: url = '' } = serviceOf('api').environment;
    expect(filled(url)).toBe('http://127.0.0.1:8233');
    expect(filled(url, { PLUMBLINE_TEMPORAL_UI_PORT: '9000' })).toBe('http://127.0.0.1:9000');
    expect(filled(serviceOf('temporal-ui').ports[0] ?? '')).toBe('127.0.0.1:8233:8080');
  });

  test('the health checks ask the ports that are listened on', () => {
    const asked = (half: string) => serviceOf(half).healthcheck?.test.at(-1);
    expect(asked('api')).toBe(serviceOf('api').environment['PLUMBLINE_PORT']);
    expect(asked('worker')).toBe(serviceOf('worker').environment['PLUMBLINE_WORKER_PORT']);
  });
});

describe('.env.example', () => {
  const used = interpolated(read('docker-compose.yml'));
  const { set, mentioned } = envExample();

  test('every variable for Compose is used by it', () => {
    expect([...set.keys()].filter((name) => !used.some((one) => one.name === name))).toEqual([]);
  });

  test('every variable that Compose uses is there', () => {
    expect(used.map(({ name }) => name).filter((name) => !set.has(name))).toEqual([]);
  });

  test('every setting of plumbline is there, and every name in a comment is a setting', () => {
    expect(settingNames.filter((name) => !set.has(name) && !mentioned.has(name))).toEqual([]);
    expect([...mentioned].filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  test('passwords are empty, and Compose demands them; everything else has the default that Compose has', () => {
    for (const { name, rest } of used) {
      if (name.endsWith('_PASSWORD'))
        expect({ name, rest, value: set.get(name) }).toEqual({ name, rest: ':?set it in .env', value: '' });
      else if (set.get(name) !== '') expect({ name, rest }).toEqual({ name, rest: `:-${set.get(name)}` });
    }
  });

  test('every variable has a comment above it', () => {
    const lines = read('.env.example').split('\n');
    for (const name of [...set.keys(), ...mentioned]) {
      let above = lines.findIndex((line) => line.replace(/^# /, '').startsWith(`${name}=`)) - 1;
      while (/^(# )?[A-Z][A-Z0-9_]*=/.test(lines[above] ?? '')) above--;
      expect({ name, above: lines[above] }).toEqual({ name, above: expect.stringMatching(/^# /) });
    }
  });
});

const cli = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' });
const whereCompose = cli.status === 0 ? describe : describe.skip;
whereCompose(`docker compose config${cli.status === 0 ? '' : ' (skipped: the docker CLI has no compose here)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-compose-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function config(env: Record<string, string>) {
    const file = join(folder, '.env');
    const given = readFileSync(join(root, '.env.example'), 'utf8').replaceAll(/^([A-Z_]+)=$/gm, (line, name: string) =>
      env[name] === undefined ? line : `${name}=${env[name]}`,
    );
    writeFileSync(file, given);
    const { PATH = '', HOME = '' } = process.env;
    const args = ['compose', '--env-file', file, '--file', join(root, 'docker-compose.yml'), 'config'];
    return spawnSync('docker', args, { encoding: 'utf8', env: { PATH, HOME } });
  }

  test('accepts the file with .env.example and three passwords, and keeps every service', () => {
    const { status, stdout, stderr } = config(passwords);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const seen = parse(stdout) as { services: Record<string, unknown> };
    expect(Object.keys(seen.services).sort()).toEqual(Object.keys(compose.services).sort());
  });

  test('refuses to start without the passwords', () => {
    const { status, stderr } = config({});
    expect(status).not.toBe(0);
    expect(stderr).toContain('set it in .env');
  });
});
