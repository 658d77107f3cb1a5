import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { prepareDataDir } from '../../launcher/data-dir.ts';
import { freePort } from '../../launcher/ports.ts';
import { processMark } from '../../launcher/process-identity.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import type { TemporalCli } from '../../launcher/temporal-binary.ts';
import { noteTemporalProcess, stopOrphanedTemporal } from '../../launcher/temporal-orphan.ts';
import { startTemporalServer } from '../../launcher/temporal-server.ts';
import type { TemporalServer, TemporalServerOptions } from '../../launcher/temporal-server.ts';
import { scriptProcesses } from './script-process.ts';
import { temporaryFolders } from './temp-folder.ts';

const servers: TemporalServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop(0))));
const newFolder = temporaryFolders();
const run = scriptProcesses();

let cli: TemporalCli;
beforeAll(async () => {
  cli = await ensureTemporalCli(loadSettings(process.env));
});

async function start(dataDir: string, options: Partial<TemporalServerOptions> = {}): Promise<TemporalServer> {
  prepareDataDir(dataDir);
  const server = await startTemporalServer({
    cli,
    dataDir,
    port: await freePort(),
    uiPort: await freePort(),
    namespace: 'default',
    searchAttributes: { PlumblineVerdict: 'Keyword' },
    onExit: () => undefined,
    ...options,
  });
  servers.push(server);
  return server;
}

/** Starts a run that no worker takes, marked with a search attribute; refused when the server does not know it. */
async function startRun(server: TemporalServer, attribute: string, workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: server.address });
  try {
    const key = defineSearchAttributeKey(attribute, 'KEYWORD');
    const typedSearchAttributes = [{ key, value: 'x' }];
    await new Client({ connection }).workflow.start('none', { taskQueue: 'none', workflowId, typedSearchAttributes });
  } finally {
    await connection.close();
  }
}

async function runExists(server: TemporalServer, workflowId: string): Promise<boolean> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return (await new Client({ connection }).workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } finally {
    await connection.close();
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('the embedded Temporal server', () => {
  test('serves runs with our search attributes at once, has a page to look at, and stops without a trace', async () => {
    const dataDir = newFolder();
    const server = await start(dataDir);
    await startRun(server, 'PlumblineVerdict', 'one');
    expect((await fetch(server.uiUrl)).status).toBe(200);
    expect(server.startedInMs).toBeLessThan(10_000);
    await server.stop();
    await server.stop();
    expect(processMark(server.pid)).toBeNull();
    expect(existsSync(join(dataDir, 'temporal.pid'))).toBe(false);
  });

  test('keeps its runs over a restart, and learns the attributes and namespace that a newer version asks for', async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    await startRun(first, 'PlumblineVerdict', 'kept');
    await first.stop();
    const second = await start(dataDir, {
      searchAttributes: { PlumblineVerdict: 'Keyword', PlumblineTenant: 'Keyword' },
    });
    expect(await runExists(second, 'kept')).toBe(true);
    await startRun(second, 'PlumblineTenant', 'new');
    await second.stop();
    await start(dataDir, { namespace: 'second' });
  });

  test('is out of reach of Ctrl-C in our terminal', async () => {
    const server = await start(newFolder());
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(server.pid)], { encoding: 'utf8' }).trim();
    expect(group).toBe(String(server.pid));
  });

  test('that dies is reported once with the way it died; one that we stop is not', async () => {
    const exits: { how: string; logTail: string }[] = [];
    const onExit = (exit: { how: string; logTail: string }) => exits.push(exit);
    const server = await start(newFolder(), { onExit });
    await until(() => readFileSync(server.logFile, 'utf8').includes('Temporal Server:'));
    process.kill(server.pid, 'SIGKILL');
    await until(() => exits.length > 0);
    await server.stop();
    await (await start(newFolder(), { onExit })).stop();
    expect(exits).toEqual([{ how: 'signal SIGKILL', logTail: expect.stringContaining('Temporal Server:') }]);
  });

  test('with a damaged database fails in seconds with its own words and the name of the log', async () => {
    const dataDir = newFolder();
    prepareDataDir(dataDir);
    writeFileSync(join(dataDir, 'temporal.db'), 'this is not a database, and never was one'.repeat(200));
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'Temporal.StartFailed',
      message: expect.stringMatching(/not a database/),
      remedy: expect.stringContaining(join(dataDir, 'logs', 'temporal.log')),
    });
    expect(existsSync(join(dataDir, 'temporal.pid'))).toBe(false);
  });

  test('does not take another program for itself: on its port it refuses to start', async () => {
    const stranger = await start(newFolder());
    const port = Number(stranger.address.split(':')[1]);
    const uiPort = Number(new URL(stranger.uiUrl).port);
    await expect(start(newFolder(), { port })).rejects.toMatchObject({ code: 'Port.Taken' });
    await expect(start(newFolder(), { uiPort })).rejects.toMatchObject({ code: 'Port.Taken' });
  });

  test('given a program that cannot run fails with its path', async () => {
    const nothing: TemporalCli = { path: join(newFolder(), 'nothing'), version: '1.9.1', origin: 'setting' };
    await expect(start(newFolder(), { cli: nothing })).rejects.toMatchObject({
      code: 'Temporal.StartFailed',
      message: expect.stringContaining(nothing.path),
    });
  });

  test('left behind by kill -9 is found and stopped, and its data goes on', async () => {
    const dataDir = newFolder();
    prepareDataDir(dataDir);
    const killed = await run('leave-orphan.ts', [dataDir]);
    const orphan = Number(killed.firstLine);
    await killed.kill();
    expect(processMark(orphan)).not.toBeNull();
    expect(await stopOrphanedTemporal(dataDir)).toBe(orphan);
    expect(processMark(orphan)).toBeNull();
    expect(await stopOrphanedTemporal(dataDir)).toBeNull();
    await start(dataDir);
  });

  test('whose pid went to another process since leaves that process alone', async () => {
    const dataDir = newFolder();
    prepareDataDir(dataDir);
    const bystander = await run('hold-lock.ts', [newFolder(), '']);
    expect(noteTemporalProcess(dataDir, bystander.pid)).not.toBeNull();
    writeFileSync(join(dataDir, 'temporal.pid'), JSON.stringify({ pid: bystander.pid, mark: 'another boot:1' }));
    expect(await stopOrphanedTemporal(dataDir)).toBeNull();
    expect(processMark(bystander.pid)).not.toBeNull();
    expect(existsSync(join(dataDir, 'temporal.pid'))).toBe(false);
  });
});
