import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LauncherError, messageOf, systemCode } from './errors.ts';

export type DataDir = { root: string; logs: string };

/** @throws LauncherError `DataDir.NotWritable` */
export function prepareDataDir(root: string): DataDir {
  prepareFolder(root, { code: 'DataDir.NotWritable', what: 'The data folder', setting: 'PLUMBLINE_DATA_DIR' });
  const logs = join(root, 'logs');
  mkdirSync(logs, { recursive: true });
  return { root, logs };
}

/** Creates a folder (readable only by its owner) and proves that files can be written there. @throws LauncherError of that code */
export function prepareFolder(
  path: string,
  { code, what, setting }: { code: LauncherError['code']; what: string; setting: string },
): void {
  try {
    createFolder(path);
    const probe = join(path, `.probe-${randomUUID()}`);
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    throw new LauncherError(code, `${what} ${path} cannot be used: ${reason(path, error)}.`, {
      remedy: `Give this user the right to write there, or set ${setting} to another folder.`,
      cause: error,
    });
  }
}

/** One level after the other: where the system answers ENOENT although the parent is there (/proc), `recursive` would try for ever. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

function reason(root: string, error: unknown): string {
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there';
  if (code === 'EROFS') return 'it is on a read-only file system';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const isFile = statSync(root, { throwIfNoEntry: false })?.isFile() ?? false;
    return isFile ? 'it is a file, not a folder' : 'a part of its path is a file';
  }
  return messageOf(error);
}
