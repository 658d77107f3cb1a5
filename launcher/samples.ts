import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '../domain/contracts/access.ts';
import type { IngestionReport } from '../domain/contracts/ingestion.ts';
import { listSourceFiles } from '../client/source-files.ts';
import type { Stack } from './stack.ts';

const corpus = join(import.meta.dirname, '..', 'examples', 'corpus');

/** What a first start asks of the sample corpus. */
export const sampleQuestion = 'How long is the warranty on a Heron lock-gate actuator?';

/**
 * Ingests the sample corpus on the first start with a data folder, and only then: who deletes the samples does not get them back.
 * Returns null when that has been done before.
 */
export async function ingestSamples(stack: Stack, access: Access, dataDir: string): Promise<IngestionReport | null> {
  const done = join(dataDir, 'samples-ingested');
  if (existsSync(done)) return null;
  const { files } = await listSourceFiles([corpus]);
  const ingestion = await stack.plumbline.ingest(access, { files, operator: true });
  const result = await ingestion.report();
  if (result.counts.failed === 0) writeFileSync(done, `${new Date().toISOString()}\n`);
  return result;
}
