import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiHouse, people, type ApiHouse } from '../api/api-house.ts';
import { plumbline } from './cli-process.ts';

let house: ApiHouse;
let worker: { stop(): Promise<void> };
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  house = await openApiHouse({ documents: true });
  worker = await house.startWorker();
  folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'));
  env = {
    PLUMBLINE_URL: house.url,
    PLUMBLINE_TOKEN: house.token,
    PLUMBLINE_DATA_DIR: house.folder,
    TEMPORAL_ADDRESS: house.env.address,
  };
});
afterAll(async () => {
  await worker.stop();
  await house.close();
  await rm(folder, { recursive: true });
});

const text = 'The late fee is nine crowns for every week that has begun, and it is due at once.\n';

describe('plumbline ingest', () => {
  test('takes in a folder, says what it passed over and what failed, and exits 1 when something did', async () => {
    const docs = join(folder, 'docs');
    await mkdir(join(docs, 'deep'), { recursive: true });
    await writeFile(join(docs, 'fees.md'), `# Fees\n\n${text}`);
    await writeFile(join(docs, 'deep', 'notes.txt'), text);
    await writeFile(join(docs, 'empty.md'), '');
    await writeFile(join(docs, 'picture.jpeg'), 'x');
    const { exitCode, stdout, stderr } = await plumbline(['ingest', docs], { env });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/skipped .*picture\.jpeg: not a kind of document/);
    expect(stdout).toMatch(
      /✗ empty\.md: .+ \(Document\.\w+\)\n3 documents: 2 ready, 0 unchanged, 1 failed; 2 passages in \d+\.\d s\.\n$/,
    );
  });

  test('leaves what has not changed as it is, and exits 0', async () => {
    const { exitCode, stdout } = await plumbline(['ingest', join(folder, 'docs', 'fees.md')], { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^1 documents: 0 ready, 1 unchanged, 0 failed/);
  });

  test('takes in more files than fit into the input of a run', async () => {
    const many = join(folder, 'many');
    await mkdir(many);
    await Promise.all(Array.from({ length: 60 }, (_, i) => writeFile(join(many, `${i}.md`), `# Note ${i}\n\n${text}`)));
    const { exitCode, stdout } = await plumbline(['ingest', '--json', many], { env });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ total: 60, counts: { ready: 60, failed: 0 } });
  });

  test('limits the readers to groups', async () => {
    const path = join(folder, 'secret.md');
    await writeFile(path, `# Secret\n\n${text}`);
    await plumbline(['ingest', path, '--group', 'board'], { env });
    const show = (token: string) =>
      plumbline(['documents', 'show', 'secret.md'], { env: { ...env, PLUMBLINE_TOKEN: token } });
    expect((await show(people.clerk.token)).stdout).toMatch(/groups +board/);
    expect((await show(house.token)).exitCode).toBe(2);
  });

  test('exits 2 when there is nothing to take in, and 4 when Temporal is away', async () => {
    const none = await plumbline(['ingest', join(folder, 'nowhere')], { env });
    expect(none).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/nowhere: there is no such file[\s\S]*no document to take in/),
    });
    const away = await plumbline(['ingest', join(folder, 'docs')], {
      env: { ...env, TEMPORAL_ADDRESS: '127.0.0.1:9' },
    });
    expect(away).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('Temporal cannot be reached at 127.0.0.1:9'),
    });
  });
});

describe('plumbline documents', () => {
  test('lists, shows and deletes', async () => {
    const list = await plumbline(['documents', 'list', '--search', 'fees'], { env });
    expect(list.stdout).toBe('fees.md  Fees  1 passage(s)\n');
    const shown = await plumbline(['documents', 'show', 'fees.md'], { env });
    expect(shown.stdout).toMatch(/^Fees\n {2}id +fees\.md\n {2}address +file:\/\/\/.*fees\.md\n/);
    expect((await plumbline(['documents', 'show', '--text', 'fees.md'], { env })).stdout).toContain(
      'The late fee is nine crowns',
    );
    expect((await plumbline(['documents', 'delete', 'fees.md'], { env })).exitCode).toBe(0);
    expect(await plumbline(['documents', 'delete', 'fees.md'], { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('No such document'),
    });
  });
});
