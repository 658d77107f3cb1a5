import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { read, root } from './compose-file.ts';

/** Folders that are not part of the product at run time. */
const apart = new Set(['bench', 'coverage', 'deploy', 'docs', 'node_modules', 'scripts', 'test']);

describe('the image', () => {
  const dockerfile = read('Dockerfile');
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));

  test('starts from a pinned glibc image with the Node of package.json', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${dependencies.node}-bookworm-slim`);
    for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm))
      expect(['${NODE_IMAGE}', 'packages']).toContain(image);
  });

  test('runs as a user without rights, and nothing after that becomes root again', () => {
    const users = [...dockerfile.matchAll(/^USER (\S+)/gm)].map(([, user]) => user);
    expect(users).toEqual(['plumbline']);
    expect(dockerfile).toMatch(/--uid 10001/);
  });

  test('everything of the product is let in', () => {
    const rooms = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !apart.has(entry.name))
      .map(({ name }) => name);
    expect(rooms.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test('nothing else is: no secrets, history, tests or data of this machine', () => {
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    for (const name of allowed) expect(name).not.toMatch(/^(\.env|\.git|\.plumbline|test|node_modules|deploy\/config)/);
  });

  test('every file that it is built from or runs is let in', () => {
    const needed = [
      'deploy/healthcheck.ts',
      'scripts/fetch-embedding-model.ts',
      'bin',
      'launcher',
      '.npmrc',
      'package-lock.json',
    ];
    expect(needed.filter((name) => !allowed.includes(name))).toEqual([]);
    for (const [, path = ''] of dockerfile.matchAll(/\/app\/((?:bin|deploy)\/[\w./-]+)/g))
      expect({ path, there: existsSync(join(root, path)) }).toEqual({ path, there: true });
  });
});
