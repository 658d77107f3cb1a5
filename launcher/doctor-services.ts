import { readFileSync } from 'node:fs';
import { Client } from '@elastic/elasticsearch';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { createClient } from 'redis';
import type { Outcome } from './doctor-finding.ts';
import type { Settings } from './settings.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';
import { messageOf } from './errors.ts';

export async function temporalClusterAnswers(settings: Settings): Promise<Outcome> {
  const { address, namespace } = settings.temporal;
  const connection = Connection.lazy(temporalConnectionOptions(settings));
  try {
    return await connection.withDeadline(Date.now() + 5_000, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      return {
        ok: true,
        detail: `${address}, namespace ${namespace}, server ${serverVersion || 'of unknown version'}`,
      };
    });
  } catch (error) {
    const remedy =
      'Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the key or certificates, or unset TEMPORAL_ADDRESS for the embedded server.';
    return { ok: false, detail: `${address}, namespace ${namespace}: ${reason(error)}`, remedy };
  } finally {
    await connection.close();
  }
}

/** Only for settings that name an Elasticsearch. */
export async function elasticsearchAnswers({ elasticsearch }: Settings): Promise<Outcome> {
  if (elasticsearch === null) return { ok: true, detail: 'not used' };
  const { url, apiKey, caPath } = elasticsearch;
  const at = withoutPassword(url);
  try {
    const client = new Client({
      node: url,
      maxRetries: 0,
      requestTimeout: 5_000,
      ...(apiKey === null ? {} : { auth: { apiKey } }),
      ...(caPath === null ? {} : { tls: { ca: readFileSync(caPath) } }),
    });
    try {
      const { version } = await client.info();
      if (Number.parseInt(version.number, 10) >= 9) return { ok: true, detail: `${version.number} at ${at}` };
      return { ok: false, detail: `${version.number} at ${at}`, remedy: 'Plumbline needs Elasticsearch 9 or newer.' };
    } finally {
      await client.close();
    }
  } catch (error) {
    const remedy =
      'Check ELASTICSEARCH_URL, ELASTICSEARCH_API_KEY and ELASTICSEARCH_CA, or unset them for the embedded index.';
    return { ok: false, detail: `${at}: ${reason(error)}`, remedy };
  }
}

/** Only for settings that name a Redis. */
export async function redisAnswers({ redisUrl }: Settings): Promise<Outcome> {
  if (redisUrl === null) return { ok: true, detail: 'not used' };
  const at = withoutPassword(redisUrl);
  const client = createClient({ url: redisUrl, socket: { connectTimeout: 3_000, reconnectStrategy: false } });
  // The failure comes through `connect`; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [, version = 'of unknown version'] = /redis_version:(\S+)/.exec(await client.info('server')) ?? [];
    return { ok: true, detail: `${version} at ${at}` };
  } catch (error) {
    const remedy = 'Check REDIS_URL and its password, or unset it: live events then come by polling.';
    return { ok: false, detail: `${at}: ${reason(error)}`, remedy };
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function withoutPassword(url: string): string {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  return address.href;
}

function reason(error: unknown): string {
  const unanswered = [4, 14]; // DEADLINE_EXCEEDED, UNAVAILABLE
  if (isGrpcServiceError(error) && unanswered.includes(error.code)) return 'no answer';
  return messageOf(error);
}
