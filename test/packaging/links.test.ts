import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { read, root } from './compose-file.ts';

const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

test.each(guides)('every file and every section that %s links to is there', (guide) => {
  for (const [, target = ''] of read(guide).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target.startsWith('https:') || target.startsWith('http:')) continue;
    const [file = '', section] = target.split('#');
    const path = file === '' ? guide : join(dirname(guide), file);
    const there = existsSync(join(root, path)) && (section === undefined || sectionsOf(path).includes(section));
    expect({ target, there }).toEqual({ target, there: true });
  }
});

/** The anchors of a guide's headings, as GitHub makes them. */
function sectionsOf(guide: string): string[] {
  return [...read(guide).matchAll(/^##+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
