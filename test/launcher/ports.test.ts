import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { freePort, portUses, requireFreePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';

const use = { host: '127.0.0.1', purpose: 'the API', setting: 'PLUMBLINE_PORT' };

describe('ports', () => {
  test('a taken port is named with its purpose and setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(requireFreePort({ ...use, port })).rejects.toMatchObject({
      code: 'Port.Taken',
      message: expect.stringMatching(new RegExp(`Port ${port} .*the API`)),
      remedy: expect.stringContaining('PLUMBLINE_PORT'),
    });
    other.close();
    await once(other, 'close');
    await requireFreePort({ ...use, port });
  });

  test('a free port stays free after the look', async () => {
    const port = await freePort();
    await requireFreePort({ ...use, port });
    await requireFreePort({ ...use, port });
  });

  test('an address that this machine does not have is refused', async () => {
    const elsewhere = { ...use, host: '203.0.113.7', port: await freePort() };
    await expect(requireFreePort(elsewhere)).rejects.toMatchObject({
      code: 'Port.NotAllowed',
      remedy: expect.stringContaining('PLUMBLINE_HOST'),
    });
  });

  test('an external Temporal needs only the port of the API', () => {
    expect(portUses(loadSettings({})).map((one) => one.port)).toEqual([8080, 7233, 8233]);
    expect(portUses(loadSettings({ TEMPORAL_ADDRESS: 'elsewhere:7233' })).map((one) => one.port)).toEqual([8080]);
  });
});
