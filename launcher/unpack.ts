import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Unzip, UnzipInflate } from 'fflate';
import type { ArtifactFile } from './artifact-catalogue.ts';

/**
 * Writes the named members of a zip archive into `folder` under their own names, chunk by chunk, so that a member of 150 MB costs no memory.
 * @throws Error when the archive is broken, a member is missing or the disk is full.
 */
export async function unpackMembers(archive: string, folder: string, files: ArtifactFile[]): Promise<void> {
  const wanted = new Map(files.map((file) => [file.member, file]));
  const open = new Set<number>();
  const unzip = new Unzip((entry) => {
    const file = wanted.get(entry.name);
    if (file === undefined) return;
    const output = openSync(join(folder, file.name), 'wx', file.executable ? 0o755 : 0o644);
    open.add(output);
    entry.ondata = (error, chunk, final) => {
      if (error) throw error;
      for (let at = 0; at < chunk.length;) at += writeSync(output, chunk, at);
      if (!final) return;
      // On the disk before the folder gets its final name: a power cut must not leave a named but empty file.
      fsyncSync(output);
      wanted.delete(entry.name);
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of createReadStream(archive, { highWaterMark: 256 << 10 })) unzip.push(chunk as Uint8Array);
    unzip.push(new Uint8Array(0), true);
  } finally {
    for (const output of open) closeSync(output);
  }
  if (wanted.size > 0) throw new Error(`the archive holds no complete ${[...wanted.keys()].join(', ')}`);
}
