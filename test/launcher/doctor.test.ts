import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runDoctor } from '../../launcher/doctor.ts';
import { ensureEmbeddingModel } from '../../launcher/embedding-model.ts';
import { lockInstance } from '../../launcher/instance-lock.ts';
import { freePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import { describeWithRedis, RedisServer } from '../support/redis-server.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();
const noPrograms = { PATH: '' };

async function settingsWith(env: Record<string, string> = {}) {
  return loadSettings({
    ...process.env,
    PLUMBLINE_DATA_DIR: newFolder(),
    PLUMBLINE_PORT: `${await freePort()}`,
    PLUMBLINE_TEMPORAL_PORT: `${await freePort()}`,
    PLUMBLINE_TEMPORAL_UI_PORT: `${await freePort()}`,
    ...env,
  });
}

async function listening<S extends Server>(server: S): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('doctor', () => {
  test('tells a damaged index and how to go on', async () => {
    const settings = await settingsWith();
    writeFileSync(
      join(settings.dataDir, 'index.db'),
      'this is no database at all, and long enough to be looked at as one '.repeat(9),
    );
    const index = (await runDoctor(settings)).find(({ check }) => check === 'Index');
    expect(index).toMatchObject({ ok: false });
    expect(index?.remedy).toContain('index.db');
  });

  test('finds everything in order on a machine that is ready', async () => {
    const settings = await settingsWith();
    await ensureTemporalCli(settings);
    await ensureEmbeddingModel(settings);
    const findings = await runDoctor(settings);
    expect(findings.filter((finding) => !finding.ok)).toEqual([]);
    expect(findings.find((finding) => finding.check.startsWith('SQLite'))?.detail).toMatch(/sqlite-vec v\d/);
  });

  test('names what is missing, each with a remedy, and fetches nothing', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const cache = newFolder();
    const settings = await settingsWith({ PLUMBLINE_CACHE_DIR: cache, PLUMBLINE_DATA_DIR: join(file, 'data') });
    const wrong = (await runDoctor(settings, { PATH: newFolder() })).filter((finding) => !finding.ok);
    expect(wrong.map((finding) => finding.check)).toEqual(
      expect.arrayContaining(['Embedding model', 'Temporal', 'Data folder']),
    );
    for (const finding of wrong) expect(finding.remedy).toMatch(/\w+/);
  });

  test('tells a port of our own running copy from a port of a stranger', async () => {
    const settings = await settingsWith();
    const lock = lockInstance(settings.dataDir);
    const ours = createServer().listen(settings.port, '127.0.0.1');
    const stranger = createServer().listen(settings.temporal.port, '127.0.0.1');
    await Promise.all([once(ours, 'listening'), once(stranger, 'listening')]);
    lock.announce({ address: `http://127.0.0.1:${settings.port}`, ports: [settings.port] });
    const findings = await runDoctor(settings, noPrograms);
    const of = (port: number) => findings.find((finding) => finding.check.startsWith(`Port ${port} `));
    expect(of(settings.port)).toMatchObject({ ok: true, detail: expect.stringContaining(`process ${process.pid}`) });
    expect(of(settings.temporal.port)).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('PLUMBLINE_TEMPORAL_PORT'),
    });
    ours.close();
    stranger.close();
    lock.release();
  });

  test.each([
    ['9.5.3', true],
    ['8.19.0', false],
  ])('Elasticsearch %s is judged %s', async (number, ok) => {
    const server = createHttpServer((_request, response) => {
      response.setHeader('x-elastic-product', 'Elasticsearch').setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ version: { number } }));
    });
    const url = `http://127.0.0.1:${await listening(server)}`;
    const findings = await runDoctor(await settingsWith({ ELASTICSEARCH_URL: url }), noPrograms);
    expect(findings.find((finding) => finding.check === 'Elasticsearch')).toMatchObject({
      ok,
      detail: expect.stringContaining(number),
    });
    server.closeAllConnections();
    server.close();
  });

  test('services that do not answer are named without their passwords', async () => {
    const settings = await settingsWith({
      ELASTICSEARCH_URL: `http://me:secret@127.0.0.1:${await freePort()}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      REDIS_URL: `redis://:secret@127.0.0.1:${await freePort()}`,
    });
    const findings = await runDoctor(settings, noPrograms);
    for (const check of ['Elasticsearch', 'Temporal', 'Redis']) {
      const finding = findings.find((one) => one.check === check);
      expect(finding).toMatchObject({
        ok: false,
        remedy: expect.stringMatching(/ELASTICSEARCH_URL|TEMPORAL_ADDRESS|REDIS_URL/),
      });
    }
    expect(JSON.stringify(findings)).not.toContain('secret');
  });
});

describeWithRedis('doctor', () => {
  test('a Redis that answers is shown with its version, one with another password is not right', async () => {
    const redis = await RedisServer.start();
    const found = async (url: string) =>
      (await runDoctor(await settingsWith({ REDIS_URL: url }), noPrograms)).find(({ check }) => check === 'Redis');
    expect(await found(redis.url)).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^\d+\.\d+\.\d+ at redis:/),
    });
    const wrong = await found(`redis://:other@127.0.0.1:${redis.port}`);
    expect(wrong).toMatchObject({ ok: false, detail: expect.stringContaining('WRONGPASS') });
    expect(JSON.stringify(wrong)).not.toContain('other');
    await redis.stop();
  });
});
