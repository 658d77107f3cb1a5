import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepSpool } from '../../activities/ingestion/sweep-spool.ts';

const day = 24 * 3_600_000;
let root: string;
let spool: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbline-sweep-'));
});
beforeEach(async () => {
  spool = await mkdtemp(join(root, 'spool-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A run's files, last touched so many days ago. */
async function run(name: string, inside: string[], days: number): Promise<void> {
  const folder = join(spool, 'ingestions', name);
  const touched = new Date(Date.now() - days * day);
  await mkdir(folder, { recursive: true });
  for (const each of inside) {
    await mkdir(join(folder, each));
    await utimes(join(folder, each), touched, touched);
  }
  await utimes(folder, touched, touched);
}
const left = async () => (await readdir(join(spool, 'ingestions'))).filter((name) => !name.startsWith('.')).sort();

test('removes ended runs after a week, unended ones after a month, and nothing else', async () => {
  await run('ended-8', ['reports'], 8);
  await run('ended-6', ['reports'], 6);
  await run('going-8', ['reports', 'claims'], 8);
  await run('waiting-29', [], 29);
  await run('terminated-31', ['reports', 'prepared'], 31);
  await mkdir(join(spool, 'syncs'), { recursive: true });
  await writeFile(join(spool, 'syncs', 'state.json'), '{}');
  await utimes(join(spool, 'syncs'), new Date(0), new Date(0));
  await sweepSpool(spool);
  expect(await left()).toEqual(['ended-6', 'going-8', 'waiting-29']);
  expect(await readdir(join(spool, 'syncs'))).toEqual(['state.json']);
});

test('a run that wrote something lately is not past, however old its folder', async () => {
  await run('busy', ['reports'], 40);
  await writeFile(join(spool, 'ingestions/busy/reports/0.jsonl'), '');
  await sweepSpool(spool);
  expect(await left()).toEqual(['busy']);
});

test('looks once an hour', async () => {
  await sweepSpool(spool);
  await run('ended-8', ['reports'], 8);
  await sweepSpool(spool);
  expect(await left()).toEqual(['ended-8']);
  await sweepSpool(spool, Date.now() + 3_700_000);
  expect(await left()).toEqual([]);
});
