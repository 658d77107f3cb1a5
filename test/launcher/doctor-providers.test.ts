import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { providerFindings } from '../../launcher/doctor-providers.ts';
import { freePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A provider that answers everything with the status; keeps what it was asked. */
async function provider(status: number): Promise<{ origin: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  open.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const findings = (env: Record<string, string>) => providerFindings(loadSettings(env));

describe('the doctor and the providers', () => {
  test('asks none that is not configured', async () => {
    expect(await findings({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toEqual([]);
  });

  test('is content with those that answer, each asked with its own key', async () => {
    const { origin, asked } = await provider(200);
    const found = await findings({
      ANTHROPIC_API_KEY: 'key-a',
      ANTHROPIC_BASE_URL: `${origin}/`,
      OPENAI_API_KEY: 'key-o',
      OPENAI_BASE_URL: `${origin}/v1`,
      OPENAI_COMPATIBLE_BASE_URL: `${origin}/own/v1`,
    });
    expect(found.map(({ check, ok }) => [check, ok])).toEqual([
      ['Anthropic', true],
      ['OpenAI', true],
      ['OpenAI-compatible server', true],
    ]);
    const of = (path: string, header: string) =>
      asked.filter(({ url }) => url === path).map(({ headers }) => headers[header]);
    expect(of('/v1/models', 'x-api-key')).toContain('key-a');
    expect(of('/v1/models', 'authorization')).toContain('Bearer key-o');
    expect(of('/own/v1/models', 'authorization')).toEqual([undefined]);
    expect(JSON.stringify(found)).not.toContain('key-');
  });

  test.each([
    [401, 'OPENAI_API_KEY'],
    [403, 'OPENAI_API_KEY'],
    [404, 'OPENAI_BASE_URL'],
    [500, 'OPENAI_BASE_URL'],
  ])('tells a %d, and what to look at', async (status, setting) => {
    const { origin } = await provider(status);
    const [finding] = await findings({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${origin}/v1` });
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining(String(status)) });
    expect(finding?.remedy).toContain(setting);
  });

  test('tells a server that is not there', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const [finding] = await findings({ OPENAI_COMPATIBLE_BASE_URL: url });
    expect(finding).toMatchObject({ ok: false, remedy: expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL') });
    expect(finding?.detail).toContain(url);
  });
});
