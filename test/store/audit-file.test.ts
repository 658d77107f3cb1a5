import { appendFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAuditFiles } from '../../adapters/store/audit/file.ts';
import { AuditError } from '../../adapters/store/port.ts';
import type { AuditEntry } from '../../domain/contracts/audit.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-audit-'));
});
afterEach(() => rm(folder, { recursive: true }));

function entry(own: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: '2026-11-30T04:41:38.000Z',
    tenant: 'main',
    questionId: 'q-1',
    actor: 'ann',
    action: 'decide',
    decision: 'confirm',
    round: 1,
    requestId: 'r-1',
    result: 'accepted',
    from: 'open',
    to: 'continuing',
    note: null,
    ...own,
  };
}

test('entries come back in their order, for their tenant and question only', async () => {
  const audit = createAuditFiles(join(folder, 'audit'));
  const kept = [entry(), entry({ actor: 'ben', result: 'Review.Decided', note: 'ann decided\n"confirm"' })];
  for (const one of kept) await audit.record(one);
  await audit.record(entry({ questionId: 'q-2' }));
  await audit.record(entry({ tenant: 'birch' }));
  expect(await audit.of('main', 'q-1')).toEqual(kept);
  expect(await audit.of('main', 'q-3')).toEqual([]);
});

test('many at once, also by several processes, each keep a line of their own', async () => {
  const [one, other] = [createAuditFiles(folder), createAuditFiles(folder)];
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      (i % 2 === 0 ? one : other).record(entry({ requestId: `r-${i}`, note: 'x'.repeat(500) })),
    ),
  );
  const found = await createAuditFiles(folder).of('main', 'q-1');
  expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(60);
});

test('files and folders are for their user alone', async () => {
  await createAuditFiles(join(folder, 'audit')).record(entry());
  const modes = ['audit', 'audit/main', 'audit/main/q-1.jsonl'].map(
    async (path) => (await stat(join(folder, path))).mode,
  );
  expect((await Promise.all(modes)).map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '700', '600']);
});

test.each([
  { tenant: '..' },
  { tenant: 'a/b' },
  { tenant: '' },
  { questionId: '../q' },
  { questionId: 'q.1' },
  { questionId: 'q\u0000' },
  { questionId: '' },
])('nothing is written or read under the name %j', async (names) => {
  const audit = createAuditFiles(folder);
  const { tenant, questionId } = entry(names);
  await expect(audit.record(entry(names))).rejects.toThrow(AuditError);
  await expect(audit.of(tenant, questionId)).rejects.toThrow(AuditError);
  expect(await readdir(folder, { recursive: true })).toEqual([]);
});

test('a line that a crash cut short is left out, and the next one stands by itself', async () => {
  const audit = createAuditFiles(folder);
  const file = join(folder, 'main', 'q-1.jsonl');
  await audit.record(entry());
  await appendFile(file, '{"at":"2026-11-30T04:4');
  await audit.record(entry({ requestId: 'r-2' }));
  expect((await audit.of('main', 'q-1')).map(({ requestId }) => requestId)).toEqual(['r-1', 'r-2']);
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(4);
});

test('a line that somebody has changed is told, not left out', async () => {
  const audit = createAuditFiles(folder);
  await audit.record(entry());
  await appendFile(join(folder, 'main', 'q-1.jsonl'), '{"at":"yesterday"}\n');
  await expect(audit.of('main', 'q-1')).rejects.toThrow(AuditError);
});

test('of very many, the newest come back', async () => {
  const lines = Array.from({ length: 8000 }, (_, i) => `${JSON.stringify(entry({ requestId: `r-${i}` }))}\n`);
  const audit = createAuditFiles(folder);
  await audit.record(entry());
  await writeFile(join(folder, 'main', 'q-1.jsonl'), lines.join(''));
  const found = await audit.of('main', 'q-1');
  expect(found.length).toBeGreaterThan(3000);
  expect(found.length).toBeLessThan(8000);
  expect(found.at(-1)?.requestId).toBe('r-7999');
});

test('what cannot be written is told', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(createAuditFiles(join(folder, 'file')).record(entry())).rejects.toThrow(AuditError);
});
