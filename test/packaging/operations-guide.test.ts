import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createCommand } from '../../launcher/search-attributes.ts';
import { loadSettings, settingNames } from '../../launcher/settings.ts';
import { read, root } from './compose-file.ts';

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

  test('every file and every section that it links to is there', () => {
    const slug = (title: string) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-');
    const sections = [...guide.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => `#${slug(title)}`);
    for (const [, target = ''] of guide.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('https:')) continue;
      const there = target.startsWith('#') ? sections.includes(target) : existsSync(join(root, 'docs', target));
      expect({ target, there }).toEqual({ target, there: true });
    }
  });
});
