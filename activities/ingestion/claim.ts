import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashText } from './hash.ts';
import { DocumentRefusal } from './refusal.ts';
import { filesOf } from './run.ts';
import type { RunRef } from './run.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * Takes a document id for one file of the run; repeatable for the same file. Two files under one id would replace each other unseen.
 * @throws DocumentRefusal `Document.DuplicateId` when another file of this run has it.
 */
export async function claimDocumentId(
  run: RunRef,
  claim: { documentId: string; name: string; path: string },
  spoolDir: string,
): Promise<void> {
  const folder = filesOf(run, spoolDir).claims;
  await mkdir(folder, { recursive: true });
  const taken = join(folder, hashText(claim.documentId).slice(0, 32));
  const draft = `${taken}.${randomUUID()}.part`;
  const content = JSON.stringify([claim.path, claim.name]);
  await writeFile(draft, content);
  try {
    // A link appears whole or not at all, and only if the name is free.
    await link(draft, taken);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const owner = await readFile(taken, 'utf8');
    if (owner === content) return;
    const [, name] = JSON.parse(owner) as [string, string];
    throw new DocumentRefusal(
      'Document.DuplicateId',
      `the id ${claim.documentId} is also that of ${name}; give one of them another id`,
    );
  } finally {
    await rm(draft, { force: true });
  }
}
