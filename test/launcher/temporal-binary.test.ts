import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli, locateTemporalCli } from '../../launcher/temporal-binary.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

function folderWithTemporal(version: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'temporal'), `#!/bin/sh\necho "temporal version ${version} (Server 1.x, UI 2.x)"\n`);
  chmodSync(join(folder, 'temporal'), 0o755);
  return folder;
}

describe('the temporal program', () => {
  test('on PATH is used when it is recent, passed over when it is old', async () => {
    const settings = loadSettings({ PLUMBLINE_CACHE_DIR: newFolder() });
    const recent = folderWithTemporal('1.10.0');
    expect(await locateTemporalCli(settings, { PATH: recent })).toEqual({
      path: join(recent, 'temporal'),
      version: '1.10.0',
      origin: 'path',
    });
    expect(await locateTemporalCli(settings, { PATH: folderWithTemporal('1.4.9') })).toBeNull();
  });

  test('named by TEMPORAL_CLI_PATH goes before PATH and must be usable', async () => {
    const PATH = folderWithTemporal('1.9.0');
    const at = (folder: string) => loadSettings({ TEMPORAL_CLI_PATH: join(folder, 'temporal') });
    const named = folderWithTemporal('1.6.0');
    expect(await locateTemporalCli(at(named), { PATH })).toMatchObject({ version: '1.6.0', origin: 'setting' });
    for (const [folder, why] of [
      [folderWithTemporal('0.12.0'), 'version 0.12.0'],
      [newFolder(), 'is not a Temporal CLI'],
    ] as const) {
      await expect(ensureTemporalCli(at(folder), { PATH })).rejects.toMatchObject({
        code: 'Temporal.Unsuitable',
        message: expect.stringContaining(why),
      });
    }
  });

  test('that is a folder, or found through a relative PATH entry, is not taken', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'temporal'));
    const settings = loadSettings({ PLUMBLINE_CACHE_DIR: newFolder() });
    expect(await locateTemporalCli(settings, { PATH: `${folder}:.:` })).toBeNull();
  });

  test('that can be had in no way names TEMPORAL_CLI_PATH in the remedy', async () => {
    const settings = loadSettings({ PLUMBLINE_CACHE_DIR: newFolder() });
    await expect(ensureTemporalCli(settings, { PATH: newFolder() })).rejects.toMatchObject({
      code: 'Artifact.Unavailable',
      remedy: expect.stringContaining('TEMPORAL_CLI_PATH'),
    });
  });
});
