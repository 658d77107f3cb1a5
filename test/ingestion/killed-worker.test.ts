import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestMemo, memoCount, parallel, startMemos, until, visible } from './many-documents.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack, Tenant } from './stack.ts';

let stack: Stack;
let house: House;
const workers = new Set<ChildProcess>();

beforeAll(async () => {
  stack = await startStack();
  house = await openHouse(stack, { worker: false });
});
afterEach(async () => {
  for (const worker of workers) await end(worker, 'SIGKILL');
});
afterAll(async () => {
  await house?.close();
  await stack?.close();
});

function startWorker({ delayMs, stuck }: { delayMs: number; stuck?: string }): ChildProcess {
  const script = join(import.meta.dirname, 'worker-process.ts');
  const args = [
    stack.env.address,
    house.taskQueue,
    house.spoolDir,
    String(delayMs),
    ...(stuck === undefined ? [] : [stuck]),
  ];
  const worker = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
  workers.add(worker);
  return worker;
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  workers.delete(worker);
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill(signal);
  await gone;
}

/** Texts given to the model so far, in all processes. */
async function embedded(): Promise<string[]> {
  const log = join(house.spoolDir, 'embedded.log');
  const there = await stat(log).then(
    () => true,
    () => false,
  );
  return there ? (await readFile(log, 'utf8')).split('\n').filter(Boolean) : [];
}

function features(plan: number, version: string): string {
  return Array.from({ length: 20 }, (_, n) => `The ${version} plan ${plan} has feature ${n}, at a price.`).join(' ');
}

/** A price list whose gold plan stands in one of many sections. */
function pricing(sections: number, gold: number, version: string): string {
  const section = (n: number) =>
    `## Plan ${n} of ${version}\n\n${n === 7 ? `Gold plan: ${gold} crowns.` : ''} ${features(n, version)}\n`;
  return `# Pricing\n\n${Array.from({ length: sections }, (_, n) => section(n + 1)).join('\n')}`;
}

async function answers(tenant: Tenant): Promise<string[]> {
  const query = {
    text: 'gold plan crowns',
    identifiers: [],
    vector: null,
    candidates: 50,
    statuses: ['active' as const],
    asOf: '2026-06-01',
  };
  const { bm25 } = await house.index.search(tenant.access, query);
  const passages = await house.index.passages(
    tenant.access,
    bm25.map(({ passageId }) => passageId),
  );
  return passages.map(({ text }) => /Gold plan: (\d+) crowns/.exec(text)?.[1]).filter((price) => price !== undefined);
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a worker ended by %s half-way through a new version: only whole versions are seen, nothing is lost or embedded twice',
  async (signal) => {
    const tenant = house.tenant();
    const worker = startWorker({ delayMs: 150 });
    const first = await (
      await tenant.start({ files: [await tenant.file('pricing.md', pricing(90, 40, 'old'))] })
    ).result();
    expect(first.counts.ready).toBe(1);
    const before = (await embedded()).length;

    const handle = await tenant.start({ files: [await tenant.file('pricing.md', pricing(80, 55, 'new'))] });
    const seen: string[][] = [];
    let running = true;
    const asking = (async () => {
      while (running) {
        seen.push(await answers(tenant));
        await sleep(40);
      }
    })();
    while ((await embedded()).length < before + 200) await sleep(20);
    await end(worker, signal);
    startWorker({ delayMs: 150 });
    const report = await handle.result();
    running = false;
    await asking;
    seen.push(await answers(tenant));

    expect(report.documents).toEqual([expect.objectContaining({ documentId: 'pricing.md', state: 'ready' })]);
    expect(seen.length).toBeGreaterThan(20);
    for (const prices of seen) expect([['40'], ['55']]).toContainEqual(prices);
    expect(seen[0]).toEqual(['40']);
    expect(seen.at(-1)).toEqual(['55']);
    expect(await tenant.counts()).toEqual({ documents: 1, passages: report.counts.passages });

    // Only the batch that was under way when the worker died may have been embedded again.
    const texts = (await embedded()).slice(before);
    const passages = texts.filter((text) => text.startsWith('"pricing.md\\n') || text.startsWith('"Pricing\\n'));
    expect(passages.length).toBeGreaterThanOrEqual(report.counts.passages);
    expect(passages.length).toBeLessThanOrEqual(report.counts.passages + 8);
  },
  300_000,
);

/** What the index file holds beside live versions. */
function remains(): unknown[] {
  const database = new DatabaseSync(join(house.spoolDir, 'index.sqlite'), { readOnly: true });
  try {
    return [
      ...database.prepare("SELECT document_id, state FROM versions WHERE state <> 'live'").all(),
      ...database.prepare('SELECT passage_id FROM passages WHERE version_id NOT IN (SELECT id FROM versions)').all(),
    ];
  } finally {
    database.close();
  }
}

test('a worker killed in the middle of 200 documents: each is there once, as if nothing had happened', async () => {
  const calmWorker = startWorker({ delayMs: 15 });
  const calm = house.tenant();
  const before = (await embedded()).length;
  await (await startMemos(house, calm)).result();
  const needed = (await embedded()).length - before;
  const expected = await visible(house, calm);
  expect(expected.size).toBe(memoCount);

  const struck = house.tenant();
  await (await startMemos(house, struck, { count: 20, edition: 'first' })).result();
  await end(calmWorker, 'SIGTERM');
  const start = (await embedded()).length;
  const stuck = 'memo-95.md';
  const doomed = startWorker({ delayMs: 15, stuck });
  const run = await startMemos(house, struck);
  await until(run, ({ inFlight }) => inFlight.some(({ name, step }) => name === stuck && step === 'publish'));
  await end(doomed, 'SIGKILL');
  const midway = await struck.counts();
  startWorker({ delayMs: 15 });
  const report = await run.result();

  expect(midway.documents).toBeLessThanOrEqual(memoCount / 2);
  expect(report).toMatchObject({ total: memoCount, omitted: 0, documents: [] });
  expect(report.counts).toMatchObject({ ready: memoCount, failed: 0, readyWithWarnings: 0, unchanged: 0 });
  expect(await visible(house, struck)).toEqual(expected);
  expect(await struck.counts()).toEqual(await calm.counts());
  expect(remains()).toEqual([]);
  expect(await struck.found('first')).toEqual([]);
  // Only what was under way may have been embedded again.
  const texts = (await embedded()).length - start;
  expect(texts).toBeGreaterThanOrEqual(needed);
  expect(texts).toBeLessThanOrEqual(needed + parallel * longestMemo);
}, 300_000);
