import { describe, expect, test } from '@jest/globals';
import { createCommand } from '../../launcher/search-attributes.ts';
import { loadSettings, settingNames } from '../../launcher/settings.ts';
import { read } from './compose-file.ts';

const guide = read('docs/operations.md');

describe('docs/operations.md', () => {
  test('its table has every setting that is read', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
    expect(settingNames.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  test('the command for search attributes is the one that the programs tell', () => {
    const written = guide.replaceAll(/\\\n\s+/g, '');
    const told = createCommand(loadSettings({ TEMPORAL_ADDRESS: 'temporal:7233' }));
    expect(written).toContain(told.slice(told.indexOf('--name ')));
  });
});
