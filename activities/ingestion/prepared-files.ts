import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { DocumentVersion } from '../../adapters/index/port.ts';
import type { Passage } from '../../domain/contracts/document.ts';
import { writeWhole } from './atomic-write.ts';
import { hashText } from './hash.ts';
import { filesOf } from './run.ts';
import type { PreparedRef, RunRef } from './run.ts';
import { systemErrorCode } from './system-error.ts';

/** Passages that one step embeds: bounds what is held in memory and what a step's retries and timeouts are about. */
const stretchLength = 256;

/**
 * A document that was read and split, on its way to the index. Texts go from step to step through these files, never through a run's
 * history. Returns the number of stretches that its passages make.
 */
export async function writePrepared(
  run: RunRef,
  { document, passages }: { document: DocumentVersion; passages: Passage[] },
  spoolDir: string,
): Promise<number> {
  const folder = folderOf(run, document, spoolDir);
  await writeWhole(join(folder, 'document.json'), JSON.stringify(document));
  const stretches = Math.ceil(passages.length / stretchLength);
  for (let n = 0; n < stretches; n++) {
    const stretch = passages.slice(n * stretchLength, (n + 1) * stretchLength);
    await writeWhole(join(folder, stretchName(n)), JSON.stringify(stretch));
  }
  return stretches;
}

/** @throws ApplicationFailure `Ingestion.SpoolMissing` when the step before wrote elsewhere. */
export async function readPreparedDocument(run: RunRef, ref: PreparedRef, spoolDir: string): Promise<DocumentVersion> {
  return (await readJson(join(folderOf(run, ref, spoolDir), 'document.json'))) as DocumentVersion;
}

/** @throws ApplicationFailure `Ingestion.SpoolMissing` when the step before wrote elsewhere. */
export async function readStretch(
  run: RunRef,
  { document, stretch }: { document: PreparedRef; stretch: number },
  spoolDir: string,
): Promise<Passage[]> {
  return (await readJson(join(folderOf(run, document, spoolDir), stretchName(stretch)))) as Passage[];
}

/** Repeatable. */
export async function removePrepared(run: RunRef, ref: PreparedRef, spoolDir: string): Promise<void> {
  await rm(folderOf(run, ref, spoolDir), { recursive: true, force: true });
}

function folderOf(run: RunRef, { documentId, version }: PreparedRef, spoolDir: string): string {
  return join(filesOf(run, spoolDir).prepared, hashText(`${documentId}\n${version}`).slice(0, 32));
}

function stretchName(stretch: number): string {
  return `passages-${stretch}.json`;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw ApplicationFailure.create({
      type: 'Ingestion.SpoolMissing',
      message: 'what the step before wrote is not there; all workers of one queue must share one data folder',
      nonRetryable: true,
    });
  }
}
