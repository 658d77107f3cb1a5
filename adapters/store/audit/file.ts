import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { accessSchema } from '../../../domain/contracts/access.ts';
import { auditEntrySchema, type AuditEntry } from '../../../domain/contracts/audit.ts';
import { AuditError, type AuditLog } from '../port.ts';

/** What is read of a file at most, in bytes, from its end: some 3,000 entries. */
const readBytes = 2 ** 20;

/** They become names of a folder and a file, so nothing else may come in. */
const namesSchema = z.object({
  tenant: accessSchema.shape.tenant,
  questionId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
});

/**
 * One file of JSON lines for each tenant and question, which is only ever appended to, by any number of processes, and readable by their user alone.
 * Nothing removes the files: how long they are kept is up to whoever runs this house.
 */
export function createAuditFiles(folder: string): AuditLog {
  return {
    async record(entry) {
      const file = fileOf(folder, entry);
      await told(file, async () => {
        const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        if (made !== undefined) await syncFolder(dirname(made));
        await append(file, JSON.stringify(auditEntrySchema.parse(entry)));
      });
    },
    async of(tenant, questionId) {
      const file = fileOf(folder, { tenant, questionId });
      return told(file, async () => (await lastLines(file)).flatMap(entryOf));
    },
  };
}

function fileOf(folder: string, names: { tenant: string; questionId: string }): string {
  const { success, data } = namesSchema.safeParse(names);
  if (!success) throw new AuditError('there is no audit trail under such a name');
  return join(folder, data.tenant, `${data.questionId}.jsonl`);
}

/** Whole lines only: after one that a crash cut short, the next begins on a line of its own. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const cutShort = size > 0 && (await textOf(handle, { from: size - 1, length: 1 })) !== '\n';
    await handle.appendFile(`${cutShort ? '\n' : ''}${line}\n`);
    await handle.sync();
    if (size === 0) await syncFolder(dirname(file));
  } finally {
    await handle.close();
  }
}

/** Without it, the name of a new file may be lost in a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function lastLines(file: string): Promise<string[]> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return [];
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - readBytes);
    const lines = (await textOf(handle, { from, length: size - from })).split('\n');
    return lines.slice(from > 0 ? 1 : 0).filter((line) => line !== '');
  } finally {
    await handle.close();
  }
}

async function textOf(handle: FileHandle, { from, length }: { from: number; length: number }): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
  return buffer.toString('utf8', 0, bytesRead);
}

/** A line that a crash cut short is no JSON: whoever sent it never got an answer. */
function entryOf(line: string): AuditEntry[] {
  try {
    return [auditEntrySchema.parse(JSON.parse(line))];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

async function told<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AuditError(`the audit trail in ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
