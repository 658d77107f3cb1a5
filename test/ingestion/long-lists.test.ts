import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { readReports, writeManifest } from '../../client/ingestion-files.ts';
import type { DocumentReport, IngestionProgress, IngestionReport } from '../../domain/contracts/ingestion.ts';
import type { ingestDocuments } from '../../workflows/ingest-documents.ts';
import { historiesOf } from './histories.ts';
import type { RunHistory } from './histories.ts';
import { openHouse, options, startStack } from './stack.ts';
import type { House, Stack, Tenant } from './stack.ts';

const count = 300;
const workflowId = 'ingest/a long list';
let stack: Stack;
let house: House;
let tenant: Tenant;
let report: IngestionReport;
let progress: IngestionProgress;
let histories: RunHistory[];

beforeAll(async () => {
  stack = await startStack();
  house = await openHouse(stack);
  tenant = house.tenant();
  const files = [];
  for (let n = 0; n < count; n++) {
    const text =
      n % 50 === 7 ? '---\ngroups: hr\n---\nText.' : `# Note ${n}\n\nThe note number ${n} says what note${n} says.\n`;
    files.push(await tenant.file(`notes/note-${n}.md`, text));
  }
  const [gone] = files;
  await rm(gone?.path ?? '');
  const manifest = await writeManifest(house.spoolDir, workflowId, files);
  const handle = await stack.env.client.workflow.start<typeof ingestDocuments>('ingestDocuments', {
    taskQueue: house.taskQueue,
    workflowId,
    args: [{ tenant: tenant.access.tenant, user: 'test', source: { manifest }, options }],
  });
  report = await handle.result();
  progress = await handle.query<IngestionProgress>('ingestProgress');
  histories = await historiesOf(stack.env.client.workflow, workflowId, handle.firstExecutionRunId);
}, 120_000);
afterAll(async () => {
  await house?.close();
  await stack?.close();
});

describe('a list of 300 files', () => {
  test('is worked off by a chain of runs, each document once', async () => {
    expect(report.total).toBe(count);
    expect(report.counts).toMatchObject({ ready: count - 7, failed: 7, unchanged: 0 });
    expect(await tenant.counts()).toEqual({ documents: count - 7, passages: count - 7 });
    expect(histories.length).toBe(3);
  });

  test('has an outcome that lists what is not plainly ready, and a report with every document', async () => {
    const codes = report.documents.map(({ code }) => code).sort();
    expect(codes).toEqual([...Array<string>(6).fill('Document.BadMetadata'), 'Document.Unreadable']);
    expect(report.omitted).toBe(0);
    const all: DocumentReport[] = [];
    for await (const one of readReports(house.spoolDir, workflowId)) all.push(one);
    expect(new Set(all.map(({ name }) => name)).size).toBe(count);
    expect(all).toHaveLength(count);
    expect(all.filter(({ state }) => state === 'ready')).toHaveLength(count - 7);
  });

  test('tells its progress after the end, too', () => {
    expect(progress).toMatchObject({ total: count, done: count, inFlight: [], counts: report.counts });
  });

  test('leaves small histories: no run over 3,000 events, no payload over 100 kB', () => {
    for (const { events, largestPayload } of histories) {
      expect(events).toBeLessThan(3000);
      expect(largestPayload).toBeGreaterThan(0);
      expect(largestPayload).toBeLessThan(100_000);
    }
  });

  test('replays with the present code', async () => {
    for (const { json } of histories) {
      await Worker.runReplayHistory({ workflowBundle: stack.bundle }, json, workflowId);
    }
  });
});

test('a list that is not there fails the run with its type', async () => {
  const handle = await tenant.start({ manifest: `${house.spoolDir}/nowhere.jsonl` });
  await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { type: 'Ingestion.BadManifest' } } });
});
