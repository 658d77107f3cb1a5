import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isReviewedDocumentId } from '../../domain/review/reviewed-document-id.ts';
import { hashText } from './hash.ts';
import { DocumentRefusal } from './refusal.ts';
import { filesOf } from './run.ts';
import type { RunRef } from './run.ts';
import { systemErrorCode } from './system-error.ts';

interface Claim {
  documentId: string;
  name: string;
  path: string;
}

/**
 * As `claimDocumentId`, but an id of a reviewed document must have been claimed for this file by the step that wrote it: what was given to whom is noted
 * with the publication only.
 * @throws DocumentRefusal `Document.Reserved`, `Document.DuplicateId`
 */
export async function claimForFile(run: RunRef, claim: Claim, spoolDir: string): Promise<void> {
  if (isReviewedDocumentId(claim.documentId) && !(await isClaimed(run, claim, spoolDir)))
    throw new DocumentRefusal(
      'Document.Reserved',
      'ids that begin with reviewed/ are for published reviews: give the document another id, or publish the review anew (plumbline review publish)',
    );
  await claimDocumentId(run, claim, spoolDir);
}

/**
 * Takes a document id for one file of the run; repeatable for the same file. Two files under one id would replace each other unseen.
 * @throws DocumentRefusal `Document.DuplicateId` when another file of this run has it.
 */
export async function claimDocumentId(run: RunRef, claim: Claim, spoolDir: string): Promise<void> {
  const taken = placeOf(run, claim, spoolDir);
  await mkdir(dirname(taken), { recursive: true });
  const draft = `${taken}.${randomUUID()}.part`;
  const content = contentOf(claim);
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

async function isClaimed(run: RunRef, claim: Claim, spoolDir: string): Promise<boolean> {
  try {
    return (await readFile(placeOf(run, claim, spoolDir), 'utf8')) === contentOf(claim);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    return false;
  }
}

function placeOf(run: RunRef, { documentId }: Claim, spoolDir: string): string {
  return join(filesOf(run, spoolDir).claims, hashText(documentId).slice(0, 32));
}

function contentOf({ path, name }: Claim): string {
  return JSON.stringify([path, name]);
}
