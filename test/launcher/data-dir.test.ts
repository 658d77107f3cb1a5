import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { prepareDataDir } from '../../launcher/data-dir.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

/** As a user without special rights, also where tests run as root. */
function unprivileged(action: () => void): void {
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65534);
  try {
    action();
  } finally {
    if (root) process.seteuid?.(0);
  }
}

const naming = (folder: string, why: RegExp) =>
  expect.objectContaining({
    code: 'DataDir.NotWritable',
    message: expect.stringMatching(new RegExp(`${folder}.*${why.source}`)),
    remedy: expect.stringContaining('PLUMBLINE_DATA_DIR'),
  });

describe('data folder', () => {
  test('is made with its parents, for its owner only, and left clean', () => {
    const root = join(newFolder(), 'a', 'b');
    expect(prepareDataDir(root)).toEqual({ root, logs: join(root, 'logs') });
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(readdirSync(root)).toEqual(['logs']);
    prepareDataDir(root);
  });

  test('that may not be written is refused by name', () => {
    const root = newFolder();
    mkdirSync(join(root, 'logs'));
    chmodSync(root, 0o555);
    unprivileged(() => expect(() => prepareDataDir(root)).toThrow(naming(root, /may not write/)));
    expect(existsSync(join(root, 'temporal.db'))).toBe(false);
  });

  test('whose path is or leads through a file is refused by name', () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(() => prepareDataDir(file)).toThrow(naming(file, /is a file, not a folder/));
    expect(() => prepareDataDir(join(file, 'data'))).toThrow(naming(join(file, 'data'), /part of its path is a file/));
  });
});
