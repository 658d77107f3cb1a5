import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { LauncherError } from '../../launcher/errors.ts';
import { freePort } from '../../launcher/ports.ts';
import { createCommand, registerSearchAttributes } from '../../launcher/search-attributes.ts';
import { loadSettings, type Settings } from '../../launcher/settings.ts';

const ok = 0;
const notFound = 5;
const denied = 7;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A Temporal frontend that answers every call with an empty message, but those named with the gRPC code given. */
async function frontend(codes: Record<string, number>): Promise<{ settings: Settings; calls: string[] }> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const method = request.url.split('/').at(-1) ?? '';
    calls.push(method);
    request.resume();
    const code = codes[method] ?? ok;
    response.writeHead(200, { 'content-type': 'application/grpc', trailer: 'grpc-status' });
    if (code === ok) response.write(Buffer.alloc(5));
    response.addTrailers({ 'grpc-status': String(code), 'grpc-message': code === ok ? '' : 'not today' });
    response.end();
  });
  server.on('session', (session) => open.push(() => session.destroy()));
  open.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { settings: loadSettings({ TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: 'house' }), calls };
}

async function refusal(settings: Settings): Promise<LauncherError> {
  try {
    await registerSearchAttributes(settings, { say: () => undefined, waitMs: 0 });
  } catch (error) {
    if (error instanceof LauncherError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('the search attributes of a cluster elsewhere', () => {
  test('who may not add the missing ones is told the whole command for somebody who may', async () => {
    const { settings } = await frontend({ AddSearchAttributes: denied });
    const { code, remedy } = await refusal(settings);
    expect(code).toBe('Temporal.SearchAttributes');
    expect(remedy).toContain(createCommand(settings));
    expect(remedy).toContain(`--address ${settings.temporal.address} --namespace house`);
    expect(remedy).toContain('--name PlumblineTenant --type Keyword');
    expect(remedy).toContain('--name PlumblineReason --type Keyword');
  });

  test('who may not even see them starts all the same, with a line that says what to do if they are missing', async () => {
    const { settings, calls } = await frontend({ ListSearchAttributes: denied });
    const said: string[] = [];
    await registerSearchAttributes(settings, { say: (line) => said.push(line), waitMs: 0 });
    expect(said).toEqual([expect.stringContaining(createCommand(settings))]);
    expect(calls).not.toContain('AddSearchAttributes');
  });

  test('a namespace that is not there is waited for, then named', async () => {
    const { settings, calls } = await frontend({ DescribeNamespace: notFound });
    const error = await refusal(settings);
    expect(error.code).toBe('Temporal.Unreachable');
    expect(error.message).toContain('namespace house');
    expect(calls).not.toContain('AddSearchAttributes');
  });

  test('a server that is not there is named with its address', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const error = await refusal(loadSettings({ TEMPORAL_ADDRESS: address }));
    expect(error.code).toBe('Temporal.Unreachable');
    expect(error.message).toContain(address);
    expect(error.remedy).toContain('TEMPORAL_ADDRESS');
  });

  test('a stop ends the waiting at once', async () => {
    const { settings } = await frontend({ DescribeNamespace: notFound });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('asked to stop')), 300);
    const waiting = registerSearchAttributes(settings, { say: () => undefined, signal: stop.signal });
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
