import { readFile } from 'node:fs/promises';
import { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { Access } from '../../domain/contracts/access.ts';
import { PlumblineError } from '../failures.ts';
import { requireOwnOrOperator } from '../own-or-operator.ts';
import { PlumblineClient } from '../plumbline-client.ts';
import { CliError } from './cli-error.ts';
import { connectTemporal } from './connect-temporal.ts';
import { connect, readSettings } from './connect.ts';
import { exitCodes } from './exit-codes.ts';

export interface FetchedRun {
  workflowId: string;
  runId: string;
  history: History;
}

/**
 * Histories of questions, from Temporal itself, for whoever the token stands for: as far as that one may see the run, and for runs of others
 * with the role operator only. @throws CliError
 */
export async function fetchRuns(ids: string[]): Promise<Map<string, FetchedRun>> {
  const found = new Map<string, FetchedRun>();
  if (ids.length === 0) return found;
  const access = await (await connect()).get<Access>('/v1/me');
  const settings = await readSettings();
  const connection = await connectTemporal(settings);
  try {
    const client = new Client({ connection, namespace: settings.temporal.namespace });
    const plumbline = new PlumblineClient({ client, policies: new Map(), uiUrl: null });
    for (const id of ids) {
      const { memo, workflowId, description } = await plumbline.find(access, id);
      requireOwnOrOperator(access, memo, 'replay');
      const { runId } = description;
      found.set(id, { workflowId, runId, history: await plumbline.history(workflowId, runId) });
    }
    return found;
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error;
    const exitCode = error.code === 'Temporal.Unavailable' ? exitCodes.unreachable : exitCodes.usage;
    throw new CliError(exitCode, `${error.message}.`);
  } finally {
    await connection.close();
  }
}

/** The JSON of a file; null where there is no such file. @throws CliError for one that cannot be read or is no JSON */
export async function readHistory(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new CliError(exitCodes.usage, `${path} cannot be replayed: ${why}.`);
  }
}
