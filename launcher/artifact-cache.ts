import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { artifactEntry } from './artifact-catalogue.ts';
import type { ArtifactEntry, ArtifactName } from './artifact-catalogue.ts';
import { sha256OfFile } from './checksum.ts';
import { systemCode } from './errors.ts';

/** Paths of the artifact's files by their names in artifacts.json, checksums verified. */
export type Artifact = { version: string; files: Record<string, string>; fetched: boolean };

export type CacheState = 'absent' | 'verified' | 'damaged';

/** Looks at the cache without fetching. Hashes a file only when its size or time of change differs from those noted at the last check. */
export async function inspectCache(
  name: ArtifactName,
  cacheDir: string,
): Promise<{ state: CacheState; artifact: Artifact }> {
  const entry = artifactEntry(name);
  const folder = artifactFolder(cacheDir, entry);
  const files = Object.fromEntries(entry.files.map((file) => [file.name, join(folder, file.name)]));
  return { state: await checkFiles(entry, folder), artifact: { version: entry.version, files, fetched: false } };
}

/** Where the files of an artifact lie in the cache. */
export function artifactFolder(cacheDir: string, entry: ArtifactEntry): string {
  return join(cacheDir, entry.name, `${entry.version}-${entry.platform}`);
}

const checkedFile = z.object({ bytes: z.number(), mtimeMs: z.number(), sha256: z.string() });
const checkedSchema = z.record(z.string(), checkedFile);
type Checked = z.infer<typeof checkedSchema>;

/** Compares the files of an artifact in any folder with the pinned checksums, and notes there what was found right. */
export async function checkFiles(entry: ArtifactEntry, folder: string): Promise<CacheState> {
  if (entry.files.length === 0) return 'absent';
  const marker = join(folder, 'checked.json');
  const before = await readChecked(marker);
  const now: Checked = {};
  for (const file of entry.files) {
    const path = join(folder, file.name);
    const found = await stat(path).catch((error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
      throw error;
    });
    if (found === null) return Object.keys(before).length === 0 ? 'absent' : 'damaged';
    if (found.size !== file.bytes) return 'damaged';
    const seen = before[file.name];
    const unchanged = seen?.bytes === found.size && seen.mtimeMs === found.mtimeMs && seen.sha256 === file.sha256;
    if (!unchanged && (await sha256OfFile(path)) !== file.sha256) return 'damaged';
    now[file.name] = { bytes: found.size, mtimeMs: found.mtimeMs, sha256: file.sha256 };
  }
  if (JSON.stringify(now) !== JSON.stringify(before)) await noteChecked(marker, now);
  return 'verified';
}

async function readChecked(marker: string): Promise<Checked> {
  try {
    return checkedSchema.parse(JSON.parse(await readFile(marker, 'utf8')));
  } catch {
    // Absent or unreadable means only that everything is hashed once more.
    return {};
  }
}

async function noteChecked(marker: string, checked: Checked): Promise<void> {
  try {
    await writeFile(marker, JSON.stringify(checked));
  } catch (error) {
    // A cache that was filled beforehand and mounted read-only still serves; it is just hashed at each start.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  }
}
