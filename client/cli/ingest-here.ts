import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { Access } from '../../domain/contracts/access.ts';
import type { IngestionReport, SourceFile } from '../../domain/contracts/ingestion.ts';
import { PlumblineError } from '../failures.ts';
import { PlumblineClient } from '../plumbline-client.ts';
import type { StartedIngestion } from '../ingestion-run.ts';
import { CliError } from './cli-error.ts';
import { connectTemporal } from './connect-temporal.ts';
import { connect, readSettings } from './connect.ts';
import { exitCodes } from './exit-codes.ts';
import { showIngestion } from './print-ingestion.ts';

/**
 * Has the copy of Plumbline on this machine take in files at their paths, as whoever the token stands for, with a progress bar.
 * @throws CliError
 */
export async function ingestHere(files: SourceFile[]): Promise<IngestionReport> {
  const api = await connect();
  const access = await api.get<Access>('/v1/me');
  const settings = await readSettings();
  const connection = await connectTemporal(settings);
  try {
    const client = new Client({ connection, namespace: settings.temporal.namespace });
    const spoolDir = join(settings.dataDir, 'spool');
    const plumbline = new PlumblineClient({ client, policies: new Map(), uiUrl: null, spoolDir });
    return await follow(await plumbline.ingest(access, { files, operator: true }), files.length);
  } catch (error) {
    if (error instanceof PlumblineError) throw new CliError(exitCodes.unreachable, error.message);
    throw error;
  } finally {
    await connection.close();
  }
}

async function follow(ingestion: StartedIngestion, total: number): Promise<IngestionReport> {
  const ended = new AbortController();
  const report = ingestion.report().finally(() => ended.abort());
  const bar = showIngestion(total);
  try {
    while (!ended.signal.aborted) {
      const progress = await ingestion.progress();
      if (progress) bar.update(progress);
      await Promise.race([report, sleep(250)]);
    }
    const { total, counts } = await report;
    bar.update({ done: total, counts });
    return await report;
  } finally {
    bar.stop();
  }
}
