import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEmbeddedEvidenceStore } from '../../../adapters/store/evidence/embedded/index.ts';
import { describeEvidenceContract, pageOf, passageOf } from './contract.ts';

let folder: string;
let files = 0;
const newFile = () => join(folder, `evidence-${files++}.db`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-evidence-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describeEvidenceContract('embedded', () => createEmbeddedEvidenceStore({ file: newFile() }));

describe('the evidence file', () => {
  test('keeps what was stored, for several processes', async () => {
    const file = newFile();
    const [first, second] = await Promise.all([1, 2].map(() => createEmbeddedEvidenceStore({ file })));
    const page = pageOf('one');
    await first?.put(page, [passageOf(page, 0)]);
    expect(await second?.get('a', ['one-p0'])).toHaveLength(1);
    await first?.close();
    await second?.close();
    const third = await createEmbeddedEvidenceStore({ file });
    expect(await third.page('a', 'one')).toEqual(page);
    await third.close();
  });

  test('holds nothing of what was deleted', async () => {
    const file = newFile();
    const store = await createEmbeddedEvidenceStore({ file });
    const page = pageOf('gone', { text: 'Confidential merger. '.repeat(300) });
    await store.put(page, [passageOf(page, 0)]);
    await store.delete('a', 'gone');
    await store.close();
    expect(await readFile(file, 'latin1')).not.toContain('Confidential merger');
  });

  test.each([
    ['text', (file: string) => writeFile(file, 'no database '.repeat(1000))],
    [
      'a database of another program',
      async (file: string) => {
        const other = new DatabaseSync(file);
        other.exec('CREATE TABLE recipes (name TEXT)');
        other.close();
      },
    ],
  ])('is refused when it is %s', async (_, prepare) => {
    const file = newFile();
    await prepare(file);
    const before = await readFile(file);
    await expect(createEmbeddedEvidenceStore({ file })).rejects.toMatchObject({ code: 'corrupt', retryable: false });
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  test('that another process holds is locked, which passes', async () => {
    const file = newFile();
    const store = await createEmbeddedEvidenceStore({ file, busyTimeoutMs: 50 });
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.put(pageOf('x'), [])).rejects.toMatchObject({ code: 'locked', retryable: true });
    other.exec('COMMIT');
    await store.put(pageOf('x'), []);
    other.close();
    await store.close();
  });

  test('in a folder that does not exist is unavailable', async () => {
    const file = join(folder, 'nowhere', 'evidence.db');
    await expect(createEmbeddedEvidenceStore({ file })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
