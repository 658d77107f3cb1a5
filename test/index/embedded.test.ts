import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import { IndexError, type IndexPort } from '../../adapters/index/port.ts';
import { describeIndexContract } from './contract.ts';
import { access, begin, dimensions, ingest, metadata, passagesOf, query } from './fixtures.ts';
import type { Source } from './fixtures.ts';
import { describeVectorOrigin } from './vector-origin-contract.ts';

let folder: string;
let files = 0;
const newFile = () => join(folder, `index-${files++}.db`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-index-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describeIndexContract('embedded', () => createEmbeddedIndex({ file: newFile(), dimensions }));

describe('an index file', () => {
  let file: string;
  const opened: IndexPort[] = [];
  beforeEach(() => {
    file = newFile();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((index) => index.close()));
  });

  describeVectorOrigin('embedded', () => ({
    elsewhere: 'PLUMBLINE_DATA_DIR',
    open: async (vectors) => {
      const index = await createEmbeddedIndex({ file, ...vectors });
      opened.push(index);
      return index;
    },
    forgetModel: async () => {
      await Promise.all(opened.splice(0).map((index) => index.close()));
      const raw = new DatabaseSync(file);
      raw.exec("DELETE FROM settings WHERE name = 'model'; PRAGMA user_version = 1");
      raw.close();
    },
  }));
});

describe('the index file', () => {
  test('keeps what was stored', async () => {
    const file = newFile();
    const first = await createEmbeddedIndex({ file, dimensions });
    await ingest(first, { tenant: 'a', documentId: 'lamp', texts: ['The lamp is green.'] });
    await first.close();
    const second = await createEmbeddedIndex({ file, dimensions });
    const hits = await second.search(access('a'), query('lamp'));
    expect([hits.bm25.length, hits.knn.length]).toEqual([1, 1]);
    await second.close();
  });

  test.each([
    ['no database', (file: string) => writeFile(file, 'not a database, only text '.repeat(400))],
    [
      'a database of another program',
      async (file: string) => {
        const other = new DatabaseSync(file);
        other.exec('CREATE TABLE recipes (name TEXT)');
        other.close();
      },
    ],
    ['a damaged schema', async (file: string) => damage(await filled(file), 100, 3996)],
  ])('is refused as corrupt when it is %s', async (_, prepare) => {
    const file = newFile();
    await prepare(file);
    const before = await readFile(file);
    expect(await failure(createEmbeddedIndex({ file, dimensions }))).toMatchObject({
      code: 'corrupt',
      retryable: false,
    });
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  test('fails as corrupt, not as empty, when its pages are damaged', async () => {
    const file = await filled(newFile());
    const index = await createEmbeddedIndex({ file, dimensions });
    await index.close();
    const { size } = await stat(file);
    await damage(file, 4096 * 2, size - 4096 * 2);
    const reading = createEmbeddedIndex({ file, dimensions }).then((damaged) =>
      damaged.search(access('a'), query('lamp')).finally(() => damaged.close()),
    );
    expect(await failure(reading)).toMatchObject({ code: 'corrupt', retryable: false });
  });

  test('is refused when it is of a newer schema or of other vectors', async () => {
    const file = await filled(newFile());
    expect(await failure(createEmbeddedIndex({ file, dimensions: 512 }))).toMatchObject({ code: 'mapping' });
    const raw = new DatabaseSync(file);
    raw.exec('PRAGMA user_version = 99');
    raw.close();
    expect(await failure(createEmbeddedIndex({ file, dimensions }))).toMatchObject({
      code: 'mapping',
      retryable: false,
    });
  });

  test('is unavailable in a folder that does not exist', async () => {
    const file = join(folder, 'nowhere', 'index.db');
    expect(await failure(createEmbeddedIndex({ file, dimensions }))).toMatchObject({ code: 'unavailable' });
  });
});

describe('another process', () => {
  test('that locks the file makes reads and writes fail as locked, and they succeed afterwards', async () => {
    const file = await filled(newFile());
    const index = await createEmbeddedIndex({ file, dimensions, busyTimeoutMs: 100 });
    const next = { tenant: 'a', documentId: 'torch', texts: ['The torch is red.'] };
    const writer = await holdLock(file, 'BEGIN IMMEDIATE');
    expect(await failure(begin(index, next))).toMatchObject({ code: 'locked', retryable: true });
    expect((await index.search(access('a'), query('lamp'))).bm25).toHaveLength(1);
    await writer.release();
    await ingest(index, next);
    await index.close();

    const owner = await holdLock(file, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const opening = createEmbeddedIndex({ file, dimensions, busyTimeoutMs: 100 });
    expect(await failure(opening)).toMatchObject({ code: 'locked', retryable: true });
    await owner.release();
    const again = await createEmbeddedIndex({ file, dimensions, busyTimeoutMs: 100 });
    expect((await again.search(access('a'), query('torch'))).bm25).toHaveLength(1);
    await again.close();
  });

  test('that writes is seen at once, and new tenants too', async () => {
    const file = newFile();
    const [worker, api] = await Promise.all([1, 2].map(() => createEmbeddedIndex({ file, dimensions })));
    if (!worker || !api) throw new Error('two indexes were opened');
    for (const tenant of ['a', 'b']) {
      await ingest(worker, { tenant, documentId: 'lamp', texts: ['The lamp is green.'] });
      const hits = await api.search(access(tenant), query('lamp'));
      expect([hits.bm25.length, hits.knn.length]).toEqual([1, 1]);
    }
    await api.updateMetadata('a', 'lamp', metadata({ groups: ['board'] }));
    expect(await worker.search(access('a'), query('lamp'))).toEqual({ bm25: [], knn: [] });
    await Promise.all([worker.close(), api.close()]);
  });
});

describe('removal', () => {
  test('leaves nothing of the text in the file', async () => {
    const file = newFile();
    const index = await createEmbeddedIndex({ file, dimensions });
    const texts = Array.from({ length: 50 }, (_, n) => `Confidential merger line ${n}`);
    await ingest(index, { tenant: 'a', documentId: 'merger', texts });
    await ingest(index, { tenant: 'a', documentId: 'lamp', texts: ['The lamp is green.'] });
    await index.deleteDocument('a', 'merger');
    await index.close();
    const content = await readFile(file, 'latin1');
    expect(content).toContain('The lamp is green.');
    expect(content).not.toContain('Confidential merger');
  });

  test('that was cut short after the flip is finished by the next call', async () => {
    const file = newFile();
    const index = await createEmbeddedIndex({ file, dimensions });
    const source = { tenant: 'a', documentId: 'lamp', texts: Array.from({ length: 600 }, (_, n) => `lamp ${n}`) };
    await ingest(index, source);
    const raw = new DatabaseSync(file);
    raw.exec(`UPDATE versions SET state = 'retired'`);
    expect(await index.search(access('a'), query('lamp'))).toEqual({ bm25: [], knn: [] });
    expect(await index.deleteDocument('a', 'lamp')).toBe(false);
    for (const table of [
      'versions',
      'version_texts',
      'passages',
      'passage_bodies',
      'vectors_rowids',
      'bm25_1_docsize',
    ]) {
      expect([table, raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n]).toEqual([table, 0]);
    }
    raw.close();
    await index.close();
  });
});

describe('an ingestion that is killed', () => {
  test('goes on where it was, and doubles nothing', async () => {
    const file = newFile();
    const source = { tenant: 'a', documentId: 'log', texts: Array.from({ length: 400 }, (_, n) => `log line ${n}`) };
    const passages = passagesOf(source);
    const ids = passages.map(({ id }) => id);
    const killed = await killWhileStaging(file, source);
    expect(killed).toBe('SIGKILL');

    const index = await createEmbeddedIndex({ file, dimensions });
    const key = await begin(index, source);
    const missing = new Set(await index.missingPassages(key, ids));
    expect(missing.size).toBeGreaterThan(0);
    expect(missing.size).toBeLessThan(ids.length);
    expect((await index.search(access('a'), query('log line'))).knn).toEqual([]);
    await index.stagePassages(
      key,
      passages.filter(({ id }) => missing.has(id)),
    );
    await index.publishVersion(key);
    const hits = await index.search(access('a'), query('log line', { candidates: 1000 }));
    for (const leg of [hits.bm25, hits.knn])
      expect(leg.map(({ passageId }) => passageId).sort()).toEqual([...ids].sort());
    await index.close();
  });
});

describe('a search', () => {
  test.each([0, 4097, NaN])('for %d candidates is refused', async (candidates) => {
    const index = await createEmbeddedIndex({ file: newFile(), dimensions });
    expect(await failure(index.search(access('a'), query('lamp', { candidates })))).toMatchObject({ code: 'rejected' });
    await index.close();
  });

  test('scores by the words of its own tenant only', async () => {
    const index = await createEmbeddedIndex({ file: newFile(), dimensions });
    await ingest(index, { tenant: 'a', documentId: 'x', texts: ['copper wire', 'steel wire', 'tin can', 'glass jar'] });
    const before = await index.search(access('a'), query('copper wire'));
    const texts = Array.from({ length: 50 }, (_, n) => `copper pipe ${n}`);
    await ingest(index, { tenant: 'b', documentId: 'x', texts });
    expect(await index.search(access('a'), query('copper wire'))).toEqual(before);
    await index.close();
  });

  test('gives up to 4096 candidates from each leg', async () => {
    const index = await createEmbeddedIndex({ file: newFile(), dimensions });
    const texts = Array.from({ length: 4100 }, (_, n) => `lamp ${n}`);
    await ingest(index, { tenant: 'a', documentId: 'lamps', texts });
    const hits = await index.search(access('a'), query('lamp', { candidates: 4096 }));
    expect([hits.bm25.length, hits.knn.length]).toEqual([4096, 4096]);
    await index.close();
  });
});

describe('a closed index', () => {
  test('says so on every call', async () => {
    const index = await createEmbeddedIndex({ file: newFile(), dimensions });
    const source = { tenant: 'a', documentId: 'lamp', texts: ['lamp'] };
    const key = await ingest(index, source);
    await index.close();
    for (const call of [
      () => index.search(access('a'), query('lamp')),
      () => index.passages(access('a'), ['x']),
      () => index.stagePassages(key, passagesOf(source)),
      () => index.listDocuments(access('a'), { limit: 1 }),
      () => index.deleteDocument('a', 'lamp'),
    ]) {
      expect(await failure(call())).toMatchObject({ code: 'unavailable', retryable: false });
    }
    expect(await index.health()).toEqual({ ok: false, detail: 'the index is closed' });
  });
});

async function filled(file: string): Promise<string> {
  const index = await createEmbeddedIndex({ file, dimensions });
  await ingest(index, { tenant: 'a', documentId: 'lamp', texts: ['The lamp is green.'] });
  await index.close();
  return file;
}

async function damage(file: string, from: number, length: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xa5), 0, length, from);
  await handle.close();
}

/** Another Node process that stages passages in tens and is killed (SIGKILL) once it has told of three; gives the signal. */
async function killWhileStaging(file: string, source: Source): Promise<unknown> {
  const script = `
    const [indexModule, fixturesModule, file, source] = process.argv.slice(1);
    const { createEmbeddedIndex } = await import(indexModule);
    const { begin, dimensions, passagesOf } = await import(fixturesModule);
    const index = await createEmbeddedIndex({ file, dimensions });
    const key = await begin(index, JSON.parse(source));
    const passages = passagesOf(JSON.parse(source));
    for (let start = 0; start < passages.length; start += 10) {
      await index.stagePassages(key, passages.slice(start, start + 10));
      process.stdout.write('staged');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }`;
  const modules = ['../../adapters/index/embedded/index.ts', './fixtures.ts'].map(
    (path) => new URL(path, import.meta.url).href,
  );
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, ...modules, file, JSON.stringify(source)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let told = '';
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.length >= 'staged'.length * 3) child.kill('SIGKILL');
  }
  const [, signal]: unknown[] = await exited;
  return signal;
}

/** Another Node process that takes a lock and holds it until released. */
async function holdLock(file: string, sql: string): Promise<{ release: () => Promise<void> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec(process.argv[2]);
    process.stdout.write('held');
    process.stdin.on('end', () => database.close()).resume();`;
  const child = spawn(process.execPath, ['-e', script, file, sql], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    release: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

async function failure(work: Promise<unknown>): Promise<IndexError> {
  const outcome = await work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  if (outcome instanceof IndexError) return outcome;
  throw new Error(`expected an IndexError, got ${String(outcome)}`);
}
