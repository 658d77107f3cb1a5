import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes scripted documents as Markdown files into a folder of their own; `remove` takes it away. */
export async function documentFolder(
  documents: { id: string; title: string; text: string }[],
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-documents-'));
  for (const { id, title, text } of documents) await writeFile(join(folder, `${id}.md`), `# ${title}\n\n${text}\n`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
