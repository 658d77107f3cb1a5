import { Connection } from '@temporalio/client';
import { notRunning, type readSettings } from './connect.ts';

/** Connects to the Temporal of the copy on this machine; the caller closes it. @throws CliError when it cannot be reached */
export async function connectTemporal(settings: Awaited<ReturnType<typeof readSettings>>): Promise<Connection> {
  const { temporalConnectionOptions } = await import('../../launcher/temporal-connection.ts');
  const options = { ...temporalConnectionOptions(settings), connectTimeout: '5s' as const };
  return Connection.connect(options).catch((error: unknown) => {
    throw notRunning(
      `Temporal cannot be reached at ${settings.temporal.address}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}
