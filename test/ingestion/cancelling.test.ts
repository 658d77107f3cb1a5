import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readReports } from '../../client/ingestion-files.ts';
import type { DocumentReport, IngestionProgress } from '../../domain/contracts/ingestion.ts';
import { runFiles } from '../../domain/ingestion/run-files.ts';
import { fakeEmbedding } from './fake-embedding.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack } from './stack.ts';

let stack: Stack;
let house: House;

beforeAll(async () => {
  stack = await startStack();
  house = await openHouse(stack, { embedding: fakeEmbedding({ delayMs: 400 }) });
});
afterAll(async () => {
  await house?.close();
  await stack?.close();
});

test('a cancelled ingestion stops within seconds, keeps what was published and removes what was not', async () => {
  const tenant = house.tenant();
  const long = Array.from(
    { length: 60 },
    (_, n) => `## Part ${n}\n\n${`Sentence ${n} is about part ${n} and its bolts. `.repeat(12)}\n`,
  ).join('\n');
  const files = [
    await tenant.file('short.md', 'A short note.'),
    await tenant.file('long.md', long),
    await tenant.file('never.md', 'Never read.'),
  ];
  const handle = await tenant.start({ files }, { parallel: 1 });
  const staged = () => {
    const database = new DatabaseSync(join(house.spoolDir, 'index.sqlite'), { readOnly: true });
    const row = database
      .prepare(
        `SELECT count(*) AS n FROM passages p JOIN versions v ON v.id = p.version_id WHERE v.document_id = 'long.md'`,
      )
      .get();
    database.close();
    return Number(row?.['n']);
  };
  while (staged() === 0) await sleep(50);

  const asked = Date.now();
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  expect(Date.now() - asked).toBeLessThan(15_000);
  expect(staged()).toBe(0);
  expect(await tenant.counts()).toEqual({ documents: 1, passages: 1 });

  const reports: DocumentReport[] = [];
  for await (const report of readReports(house.spoolDir, handle.workflowId)) reports.push(report);
  expect(reports.map(({ name, code }) => [name, code])).toEqual([
    ['short.md', null],
    ['long.md', 'Ingestion.Cancelled'],
  ]);
  expect(await handle.query<IngestionProgress>('ingestProgress')).toMatchObject({ total: 3, done: 2, inFlight: [] });
  expect(await readdir(join(house.spoolDir, runFiles(handle.workflowId).folder))).toEqual(['reports']);
});
