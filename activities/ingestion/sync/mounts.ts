import { stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { systemErrorCode } from '../system-error.ts';

/**
 * Whether another file system begins at this folder. A share that was unmounted leaves an empty folder behind, which looks as if all had
 * been deleted; this is how it is told from one.
 */
async function isMountPoint(folder: string): Promise<boolean> {
  try {
    const [own, above] = await Promise.all([stat(folder), stat(dirname(folder))]);
    return own.dev !== above.dev;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return false;
  }
}

/** Mount points among a folder ('') and the folders below it that hold these files; all names relative to it, with `/`. */
export async function mountPointsOf(root: string, files: string[]): Promise<string[]> {
  const folders = new Set(['']);
  for (const file of files) {
    for (let at = parentOf(file); !folders.has(at); at = parentOf(at)) folders.add(at);
  }
  const mounts: string[] = [];
  for (const folder of folders) if (await isMountPoint(join(root, folder))) mounts.push(folder);
  return mounts;
}

/** Former mount points that are none now and hold no file any more: what was there is not deleted but away. */
export async function lostMounts(root: string, former: string[], files: string[]): Promise<string[]> {
  const lost: string[] = [];
  for (const mount of former) {
    if (files.some((file) => mount === '' || file.startsWith(`${mount}/`))) continue;
    if (!(await isMountPoint(join(root, mount)))) lost.push(mount);
  }
  return lost;
}

function parentOf(name: string): string {
  const parent = posix.dirname(name);
  return parent === '.' ? '' : parent;
}
