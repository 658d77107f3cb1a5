import { Client } from '@temporalio/client';
import type { Access } from '../../domain/contracts/access.ts';
import { PlumblineError } from '../failures.ts';
import { Syncs } from '../syncs.ts';
import { CliError } from './cli-error.ts';
import { connectTemporal } from './connect-temporal.ts';
import { connect, readSettings } from './connect.ts';
import { exitCodes } from './exit-codes.ts';

/** Works on the synchronised folders of the copy on this machine, as whoever the token stands for. @throws CliError */
export async function withSyncs<T>(work: (syncs: Syncs, access: Access) => Promise<T>): Promise<T> {
  const access = await (await connect()).get<Access>('/v1/me');
  const settings = await readSettings();
  const { namespace } = settings.temporal;
  const connection = await connectTemporal(settings);
  try {
    return await work(new Syncs(new Client({ connection, namespace })), access);
  } catch (error) {
    if (error instanceof PlumblineError) throw new CliError(exitCodes.unreachable, `${error.message}.`);
    throw error;
  } finally {
    await connection.close();
  }
}
