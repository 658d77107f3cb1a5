import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import { devServer, quietRuntime } from '../support/servers.ts';

const script = join(import.meta.dirname, '..', '..', 'deploy', 'temporal-namespace.sh');
let server: TestWorkflowEnvironment;
let temporalFolder: string;
beforeAll(async () => {
  quietRuntime();
  temporalFolder = dirname((await ensureTemporalCli(loadSettings(process.env))).path);
  server = await devServer();
});
afterAll(() => server?.teardown());

async function run(): Promise<{ exit: number | null; said: string }> {
  const child = spawn('sh', [script], {
    env: {
      PATH: `${temporalFolder}:${process.env['PATH'] ?? ''}`,
      HOME: process.env['HOME'] ?? '',
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: 'house',
      TEMPORAL_RETENTION: '720h',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, said };
}

test('the namespace is made with its retention, and a second time left as it is', async () => {
  const first = await run();
  expect({ first }).toMatchObject({ first: { exit: 0 } });
  const described = await server.connection.workflowService.describeNamespace({ namespace: 'house' });
  expect(Number(described.config?.workflowExecutionRetentionTtl?.seconds)).toBe(720 * 3600);
  expect(await run()).toEqual({ exit: 0, said: 'Namespace house is there.\n' });
});
