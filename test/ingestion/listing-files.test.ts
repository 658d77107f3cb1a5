import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { listSourceFiles } from '../../client/source-files.ts';
import { readManifestEntry, readManifestPart } from '../../activities/ingestion/manifest.ts';
import { writeManifest } from '../../client/ingestion-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-files-'));
  await mkdir(join(folder, 'docs/deep'), { recursive: true });
  await mkdir(join(folder, 'docs/.git'));
  const names = [
    'a.md',
    'B.HTML',
    'deep/c.pdf',
    'photo.png',
    'README',
    '.hidden.md',
    '.git/config.txt',
    'a.md.meta.json',
    'lost.md.meta.json',
  ];
  for (const name of names) await writeFile(join(folder, 'docs', name), 'text');
  await symlink(join(folder, 'nowhere.md'), join(folder, 'docs/broken.md'));
  await symlink(join(folder, 'docs'), join(folder, 'docs/deep/circle'));
  await mkdir(join(folder, 'links'));
  await mkdir(join(folder, 'links/.kept'));
  await writeFile(join(folder, 'links/.kept/a.md'), 'text');
  await symlink(join(folder, 'links/.kept/a.md'), join(folder, 'links/to-a.md'));
  await symlink(join(folder, 'docs/a.md'), join(folder, 'links/out.md'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const reasons = (listing: Awaited<ReturnType<typeof listSourceFiles>>) =>
  listing.skipped.map(({ path, reason }) => [basename(path), reason]);

describe('a folder', () => {
  test('gives its documents, named from the folder on, and says what it does not take', async () => {
    const listing = await listSourceFiles(['docs'], { cwd: folder, overrides: { tags: ['x'] } });
    expect(listing.files.map(({ name }) => name)).toEqual(['B.HTML', 'a.md', 'deep/c.pdf']);
    expect(listing.files[1]).toEqual({
      path: join(folder, 'docs/a.md'),
      name: 'a.md',
      uri: `file://${folder}/docs/a.md`,
      overrides: { tags: ['x'] },
    });
    expect(reasons(listing)).toEqual([
      ['README', 'unsupported_type'],
      ['broken.md', 'unreadable'],
      ['circle', 'symbolic_link'],
      ['lost.md.meta.json', 'sidecar_without_document'],
      ['photo.png', 'unsupported_type'],
    ]);
  });

  // The super-user may read everything.
  const unlessRoot = process.getuid?.() === 0 ? test.skip : test;
  unlessRoot('that cannot be read is said to be so', async () => {
    await mkdir(join(folder, 'closed'));
    await chmod(join(folder, 'closed'), 0);
    expect(reasons(await listSourceFiles(['closed'], { cwd: folder }))).toEqual([['closed', 'unreadable']]);
  });
});

describe('files and globs', () => {
  test('a file named by itself is taken whatever its name', async () => {
    const { files } = await listSourceFiles(['docs/README', 'docs/photo.png'], { cwd: folder });
    expect(files.map(({ name }) => name)).toEqual(['README', 'photo.png']);
  });

  test('a glob names files from its fixed part on', async () => {
    const { files } = await listSourceFiles(['docs/**/*.{md,pdf}'], { cwd: folder });
    expect(files.map(({ name }) => name)).toEqual(['a.md', 'deep/c.pdf']);
  });

  test('a link to a file is taken, from a folder as from a glob, unless it leads out', async () => {
    for (const given of ['links', 'links/*.md']) {
      const { files, skipped } = await listSourceFiles([given], { cwd: folder });
      expect(files.map(({ name }) => name)).toEqual(['to-a.md']);
      expect(skipped).toEqual([{ path: join(folder, 'links/out.md'), reason: 'symbolic_link' }]);
    }
  });

  test('what is given twice is listed once; what is not there is said', async () => {
    const listing = await listSourceFiles(['docs/a.md', 'docs/a.md', 'gone.md', 'docs/*.rtf'], { cwd: folder });
    expect(listing.files).toHaveLength(1);
    expect(reasons(listing)).toEqual([
      ['gone.md', 'not_found'],
      ['*.rtf', 'no_match'],
    ]);
  });
});

describe('a list of files', () => {
  const files = Array.from({ length: 7 }, (_, n) => ({
    path: `/x/ü${n}.md`,
    name: `ü${n}.md`,
    uri: '',
    overrides: {},
  }));

  test('is read part by part, each entry again at its place', async () => {
    const manifest = await writeManifest(folder, 'run', files);
    const first = await readManifestPart(manifest, 0, 3);
    const second = await readManifestPart(manifest, first.next ?? 0, 3);
    const third = await readManifestPart(manifest, second.next ?? 0, 3);
    expect([first, second, third].map(({ total }) => total)).toEqual([7, null, null]);
    expect(third.next).toBeNull();
    const entries = [first, second, third].flatMap((part) => part.entries);
    expect(entries.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    for (const { name, at } of entries) expect(await readManifestEntry(manifest, at)).toMatchObject({ name });
  });

  test.each([
    ['{"path":"/x"', /JSON at byte 0/],
    ['{"path":"/x","name":3,"uri":""}', /byte 0: name/],
  ])('with a wrong line is refused, and the line told: %s', async (line, message) => {
    const path = join(folder, 'wrong.jsonl');
    await writeFile(path, `${line}\n`);
    await expect(readManifestPart(path, 0, 3)).rejects.toMatchObject({
      type: 'Ingestion.BadManifest',
      message: expect.stringMatching(message),
    });
  });
});
