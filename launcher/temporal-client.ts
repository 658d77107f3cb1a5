import { Client, Connection } from '@temporalio/client';
import type { Closers } from './closers.ts';
import type { Settings } from './settings.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';

/** A client of the server and namespace in the settings, embedded or external. */
export async function connectClient(settings: Settings, closers: Closers): Promise<Client> {
  const connection = await Connection.connect(temporalConnectionOptions(settings));
  closers.add('the client connection', () => connection.close());
  return new Client({ connection, namespace: settings.temporal.namespace });
}
