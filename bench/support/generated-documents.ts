import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SourceFile } from '../../domain/contracts/ingestion.ts';
import { freshText } from './embedding-speed.ts';

/** Writes short text files, all different, of one passage each. */
export async function generateDocuments(folder: string, count: number): Promise<SourceFile[]> {
  await mkdir(folder, { recursive: true });
  const files: SourceFile[] = [];
  for (let n = 0; n < count; n++) {
    const name = `note-${String(n).padStart(5, '0')}.txt`;
    const path = join(folder, name);
    await writeFile(path, `Notice ${n}\n\n${sentence(11)} ${sentence(9)}\n`);
    files.push({ path, name, uri: pathToFileURL(path).href, overrides: {} });
  }
  return files;
}

function sentence(length: number): string {
  const text = freshText(length);
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
