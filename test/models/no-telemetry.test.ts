import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { modelFiles } from './local-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-home-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the runtime of the model keeps no id of this machine and no events to send', async () => {
  const { modelPath } = await modelFiles();
  const { PATH = '' } = process.env;
  // A home of its own, in which the runtime's telemetry would leave its files. CI is unset: the runtime is quiet there by itself.
  const env = { PATH, HOME: folder, XDG_CACHE_HOME: folder, PLUMBLINE_MODEL_DIR: join(modelPath, '..') };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embed-once.ts')], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).not.toContain('telemetry');
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
});
