import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '../../launcher/ports.ts';

const script = join(import.meta.dirname, '..', '..', 'deploy', 'healthcheck.ts');
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function check(port: number): Promise<{ exit: number | null; said: string }> {
  const child = spawn(process.execPath, [script, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, said };
}

async function service(status: number, body: string): Promise<number> {
  const server = createServer((req, res) => {
    res.writeHead(req.url === '/ready' ? status : 404).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('healthy: what says it is ready', async () => {
  expect(await check(await service(200, 'ready'))).toEqual({ exit: 0, said: 'ready\n' });
});

test('not healthy: what is not ready, and the check says what is missing', async () => {
  expect(await check(await service(503, 'index: down'))).toEqual({ exit: 1, said: 'index: down\n' });
});

test('not healthy: where nothing answers', async () => {
  const port = await freePort();
  expect(await check(port)).toEqual({ exit: 1, said: expect.stringContaining(`port ${port}`) });
});
