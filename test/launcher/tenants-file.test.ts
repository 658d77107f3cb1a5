import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Closers } from '../../launcher/closers.ts';
import { openWorkerAdapters } from '../../launcher/open-adapters.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { tenantFindings } from '../../launcher/tenants-file.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

function settingsWith(text: string | null) {
  const dir = newFolder();
  const file = join(dir, 'tenants.json');
  if (text !== null) writeFileSync(file, text);
  return loadSettings({ PLUMBLINE_DATA_DIR: dir, PLUMBLINE_TENANTS: file });
}

describe('a file of tenants that', () => {
  test.each([
    ['is not there', null, 'ENOENT'],
    ['is no JSON', '{ "alder": ', 'JSON'],
    ['says what nobody understands', '{ "alder": { "web": { "mode": "nevr" } } }', 'alder.web.mode'],
  ])('%s ends the start, and the doctor tells it, with its remedy', async (_, text, why) => {
    const settings = settingsWith(text);
    const told = { message: expect.stringContaining(why), remedy: expect.stringContaining('PLUMBLINE_TENANTS') };
    const opening = openWorkerAdapters(settings, { closers: new Closers(), log: process.stderr });
    await expect(opening).rejects.toMatchObject({ code: 'Settings.Invalid', ...told });
    expect(await tenantFindings(settings)).toEqual([
      { check: 'Rules of tenants', ok: false, detail: told.message, remedy: told.remedy },
    ]);
  });

  test('can be read is in order', async () => {
    const settings = settingsWith('{ "alder": { "web": { "mode": "never" } } }');
    expect(await tenantFindings(settings)).toEqual([
      { check: 'Rules of tenants', ok: true, detail: settings.web.tenantsFile },
    ]);
  });
});
