import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { lockInstance, runningInstance } from '../../launcher/instance-lock.ts';
import { scriptProcesses } from './script-process.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();
const run = scriptProcesses();

describe('lock of the data folder', () => {
  test('a second copy is told the pid and address of the first', async () => {
    const folder = newFolder();
    const first = await run('hold-lock.ts', [folder, 'http://127.0.0.1:8080']);
    expect(first.firstLine).toBe('locked');
    expect(() => lockInstance(folder)).toThrow(
      expect.objectContaining({
        code: 'Instance.Running',
        message: expect.stringMatching(new RegExp(`process ${first.pid}, http://127.0.0.1:8080`)),
      }),
    );
    expect(runningInstance(folder)?.details).toEqual({ pid: first.pid, address: 'http://127.0.0.1:8080', ports: [] });
  });

  test('kill -9 frees it at once, whatever it left behind', async () => {
    const folder = newFolder();
    const first = await run('hold-lock.ts', [folder, 'http://127.0.0.1:8080']);
    await first.kill();
    expect(existsSync(join(folder, 'instance.json'))).toBe(true);
    expect(runningInstance(folder)).toBeNull();
    const lock = lockInstance(folder);
    expect(runningInstance(folder)?.details?.pid).toBe(process.pid);
    lock.release();
  });

  test('of six copies that start at once exactly one gets it', async () => {
    const folder = newFolder();
    const copies = await Promise.all(Array.from({ length: 6 }, () => run('hold-lock.ts', [folder, 'x'])));
    const said = copies.map((copy) => copy.firstLine).sort();
    expect(said).toEqual([...Array<string>(5).fill('Instance.Running'), 'locked']);
  });

  test('release frees it, leaves no notice and may be called twice', () => {
    const folder = newFolder();
    const lock = lockInstance(folder);
    expect(() => lockInstance(folder)).toThrow(expect.objectContaining({ code: 'Instance.Running' }));
    lock.release();
    lock.release();
    expect(existsSync(join(folder, 'instance.json'))).toBe(false);
    expect(runningInstance(folder)).toBeNull();
    lockInstance(folder).release();
  });

  test('a notice cut short does not hide that a copy is running', () => {
    const folder = newFolder();
    const lock = lockInstance(folder);
    writeFileSync(join(folder, 'instance.json'), readFileSync(join(folder, 'instance.json'), 'utf8').slice(0, 5));
    expect(runningInstance(folder)).toEqual({ details: null });
    expect(() => lockInstance(folder)).toThrow(expect.objectContaining({ code: 'Instance.Running' }));
    lock.release();
  });

  test('a folder that was never used has no running copy', () => {
    expect(runningInstance(join(newFolder(), 'not-there'))).toBeNull();
  });
});
