import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a whole file or nothing, so that a worker that dies in between leaves no half of it. Makes the folder. */
export async function writeWhole(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}
