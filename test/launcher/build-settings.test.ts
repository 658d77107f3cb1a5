import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../launcher/settings.ts';
import { startStack } from '../../launcher/stack.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

describe('the build of a worker', () => {
  test('is none unless it is named, and belongs to the deployment plumbline unless that is named, too', () => {
    expect(loadSettings({}).build).toBeNull();
    expect(loadSettings({ PLUMBLINE_DEPLOYMENT: 'birch' }).build).toBeNull();
    const named = { PLUMBLINE_BUILD_ID: '2026-11-30.8f17ea3' };
    expect(loadSettings(named).build).toEqual({ deploymentName: 'plumbline', buildId: '2026-11-30.8f17ea3' });
    expect(loadSettings({ ...named, PLUMBLINE_DEPLOYMENT: 'birch' }).build?.deploymentName).toBe('birch');
  });

  test.each([
    ['PLUMBLINE_BUILD_ID', 'build of today'],
    ['PLUMBLINE_BUILD_ID', `b${'0'.repeat(100)}`],
    ['PLUMBLINE_DEPLOYMENT', 'plumb.line'],
    ['PLUMBLINE_DEPLOYMENT', 'plumb:line'],
  ])('%s %p is refused', (name, value) => {
    expect(() => loadSettings({ [name]: value })).toThrow(name);
  });

  test('is refused where one process is all there is, before anything is started', async () => {
    const settings = loadSettings({ PLUMBLINE_BUILD_ID: '1', PLUMBLINE_DATA_DIR: newFolder() });
    await expect(startStack(settings, () => undefined)).rejects.toMatchObject({
      code: 'Settings.Invalid',
      remedy: expect.stringContaining('Unset PLUMBLINE_BUILD_ID'),
    });
  });
});
