import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import type { estypes } from '@elastic/elasticsearch';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithElasticsearch } from './describe-with-elasticsearch.ts';
import { verifyChecksums } from './server-home.ts';
import { elasticsearchUnavailable, startElasticsearch } from './start-elasticsearch.ts';
import type { ElasticsearchServer } from './start-elasticsearch.ts';

const FIRST_BUILD_MS = 300_000;
const RESTART_MS = 60_000;
const DIMENSIONS = 384;
const START_AND_PRINT_PID = `
  import { startElasticsearch } from ${JSON.stringify(new URL('./start-elasticsearch.ts', import.meta.url))};
  const server = await startElasticsearch();
  console.log(JSON.stringify({ pid: server.pid(), dataDir: server.dataDir }));
`;

/** A unit vector whose only component is at `axis`. */
function unitVector(axis: number): number[] {
  return Array.from({ length: DIMENSIONS }, (_, i) => (i === axis ? 1 : 0));
}

const SETTINGS: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  number_of_replicas: 0,
  analysis: {
    filter: {
      possessives: { type: 'stemmer', language: 'possessive_english' },
      stop_words: { type: 'stop', stopwords: '_english_' },
      stems: { type: 'stemmer', language: 'english' },
    },
    analyzer: {
      prose: {
        type: 'custom',
        tokenizer: 'standard',
        filter: ['possessives', 'cjk_width', 'lowercase', 'asciifolding', 'stop_words', 'stems'],
      },
      neutral: {
        type: 'custom',
        tokenizer: 'standard',
        filter: ['cjk_width', 'lowercase', 'asciifolding', 'cjk_bigram'],
      },
    },
  },
};

const MAPPINGS: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  properties: {
    text: { type: 'text', analyzer: 'prose', fields: { neutral: { type: 'text', analyzer: 'neutral' } } },
    tenant: { type: 'keyword' },
    quantised: {
      type: 'dense_vector',
      dims: DIMENSIONS,
      similarity: 'cosine',
      index: true,
      index_options: { type: 'int8_hnsw' },
    },
    exact: {
      type: 'dense_vector',
      dims: DIMENSIONS,
      similarity: 'cosine',
      index: true,
      index_options: { type: 'hnsw' },
    },
  },
};

const TEXTS = [
  { id: 'en', tenant: 'a', text: "The captains' logs describe naïve sailing near Marlo's harbour." },
  { id: 'ja', tenant: 'a', text: '設備点検は毎月第二火曜日に行う。' },
  { id: 'zh', tenant: 'a', text: '点心と火鍋の設備' },
  { id: 'wide', tenant: 'a', text: '型番は ＡＢ１２ です' },
  { id: 'other', tenant: 'b', text: 'Another tenant also has a captain and a harbour.' },
];

describeWithElasticsearch('a real Elasticsearch', () => {
  let server: ElasticsearchServer;
  let client: Client;

  beforeAll(async () => {
    server = await startElasticsearch();
    client = new Client({ node: server.url, maxRetries: 0 });
    await client.indices.create({ index: 'passages', settings: SETTINGS, mappings: MAPPINGS });
    const answer = await client.bulk({
      index: 'passages',
      refresh: true,
      operations: TEXTS.flatMap(({ id, ...source }, axis) => [
        { index: { _id: id } },
        { ...source, quantised: unitVector(axis), exact: unitVector(axis) },
      ]),
    });
    expect(answer.errors).toBe(false);
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  async function match(field: string, query: string): Promise<(string | undefined)[]> {
    const { hits } = await client.search({ index: 'passages', query: { match: { [field]: query } } });
    return hits.hits.map((hit) => hit._id);
  }

  test('is the version that the client expects', async () => {
    const info = await client.info();
    expect(info.version.number).toBe('9.5.3');
    expect(info.tagline).toBe('You Know, for Search');
    expect(await client.ping()).toBe(true);
  });

  test('finds English by stem, without possessives, accents and stop words', async () => {
    expect(await match('text', 'captain')).toEqual(expect.arrayContaining(['en', 'other']));
    expect(await match('text', 'naive')).toEqual(['en']);
    expect(await match('text', 'marlo')).toEqual(['en']);
    expect(await match('text', 'the')).toEqual([]);
  });

  test('finds Chinese and Japanese by pairs of characters, and full-width letters by their half-width form', async () => {
    expect(await match('text.neutral', '設備点検')).toEqual(['ja', 'zh']);
    expect(await match('text.neutral', 'AB12')).toEqual(['wide']);
  });

  test.each(['quantised', 'exact'])('answers BM25 and a filtered kNN over %s in one request', async (field) => {
    const { responses } = await client.msearch({
      searches: [
        { index: 'passages' },
        { query: { bool: { must: { match: { text: 'harbour' } }, filter: { term: { tenant: 'b' } } } } },
        { index: 'passages' },
        { knn: { field, query_vector: unitVector(0), k: 1, num_candidates: 10, filter: { term: { tenant: 'b' } } } },
      ],
    });
    const ids = responses.map((response) =>
      'hits' in response ? response.hits.hits.map((hit) => hit._id) : response.error,
    );
    // The nearest vector belongs to tenant a: the filter applies before the k neighbours are picked.
    expect(ids).toEqual([['other'], ['other']]);
  });

  test('refuses a parameter that it does not implement, so that templates stay portable', async () => {
    const grams: estypes.AnalysisTokenizer = { type: 'edge_ngram', token_chars: ['letter'] };
    const creation = client.indices.create({
      index: 'refused',
      settings: { analysis: { tokenizer: { grams } } },
    });
    await expect(creation).rejects.toThrow('does not implement [token_chars]');
  });

  test(
    'keeps its data and address when it is killed and started again',
    async () => {
      const before = server.pid();
      await client.index({
        index: 'passages',
        id: 'late',
        document: { tenant: 'a', text: 'Written and not yet refreshed: quokka' },
      });
      await server.kill();
      expect(isAlive(before)).toBe(false);
      await expect(client.info()).rejects.toThrow('ECONNREFUSED');

      await server.restart();
      expect(server.pid()).not.toBe(before);
      await client.indices.refresh({ index: 'passages' });
      expect((await client.count({ index: 'passages' })).count).toBe(TEXTS.length + 1);
      expect(await match('text', 'quokka')).toEqual(['late']);
    },
    RESTART_MS,
  );
});

describeWithElasticsearch('an Elasticsearch that is stopped', () => {
  test(
    'leaves no process and no temporary folder, and does not start again',
    async () => {
      const server = await startElasticsearch();
      const pid = server.pid();
      expect(isAlive(pid)).toBe(true);
      await server.stop();
      expect(isAlive(pid)).toBe(false);
      expect(existsSync(server.logFile)).toBe(false);
      await expect(server.restart()).rejects.toThrow('stopped for good');
      await server.stop();
    },
    FIRST_BUILD_MS,
  );

  test(
    'leaves a data folder that was given',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
      try {
        const first = await startElasticsearch({ dataDir });
        await put(`${first.url}/kept`);
        await first.stop();
        const second = await startElasticsearch({ dataDir });
        const answer = await fetch(`${second.url}/kept`, { method: 'HEAD' });
        await second.stop();
        expect(answer.status).toBe(200);
      } finally {
        await rm(dataDir, { recursive: true });
      }
    },
    FIRST_BUILD_MS,
  );

  test(
    'shows the end of its log when it cannot start, and leaves no temporary folder',
    async () => {
      const { TMPDIR } = process.env;
      process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
      try {
        await expect(startElasticsearch({ settings: { 'no.such.setting': '1' } })).rejects.toThrow(
          'unknown setting [no.such.setting]',
        );
        expect(await readdir(process.env.TMPDIR)).toEqual([]);
      } finally {
        await rm(process.env.TMPDIR, { recursive: true });
        restoreEnvironment({ TMPDIR });
      }
    },
    FIRST_BUILD_MS,
  );

  test(
    'ends with the process that started it, even when that one is killed',
    async () => {
      const starter = spawn(process.execPath, ['--input-type=module', '--eval', START_AND_PRINT_PID], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
      const { pid, dataDir } = JSON.parse(line) as { pid: number; dataDir: string };
      expect(isAlive(pid)).toBe(true);
      starter.kill('SIGKILL');
      for (let i = 0; i < 200 && isAlive(pid); i += 1) await sleep(50);
      expect(isAlive(pid)).toBe(false);
      await rm(dataDir, { recursive: true });
    },
    FIRST_BUILD_MS,
  );
});

describe('what the server is made from', () => {
  test('is refused when a checksum differs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
    await writeFile(join(folder, 'a.jar'), 'genuine');
    const sha256 = createHash('sha256').update('genuine').digest('hex');
    await expect(verifyChecksums(folder, { 'a.jar': sha256 })).resolves.toBeUndefined();
    await writeFile(join(folder, 'a.jar'), 'changed');
    await expect(verifyChecksums(folder, { 'a.jar': sha256 })).rejects.toThrow('a.jar has the SHA-256');
    await rm(folder, { recursive: true });
  });
});

describe('where Maven is missing and nothing is cached', () => {
  const { CI, PATH, PLUMBLINE_CACHE_DIR } = process.env;

  afterEach(() => {
    restoreEnvironment({ CI, PATH, PLUMBLINE_CACHE_DIR });
  });

  test('says why tests are skipped, except in CI, where starting fails with the same remedy', async () => {
    process.env.PATH = '';
    process.env.PLUMBLINE_CACHE_DIR = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
    delete process.env.CI;
    const reason = elasticsearchUnavailable();
    expect(reason).toMatch(/install (it|one)/);
    process.env.CI = 'true';
    expect(elasticsearchUnavailable()).toBeNull();
    await expect(startElasticsearch()).rejects.toThrow(reason ?? '');
    await rm(process.env.PLUMBLINE_CACHE_DIR, { recursive: true });
  });
});

async function put(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'PUT' });
  expect(answer.status).toBe(200);
}

function restoreEnvironment(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
