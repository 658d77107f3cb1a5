import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Closers } from '../../launcher/closers.ts';
import { runDoctor } from '../../launcher/doctor.ts';
import { modelFindings } from '../../launcher/doctor-models.ts';
import { LauncherError } from '../../launcher/errors.ts';
import { openApiStores, openWorkerAdapters } from '../../launcher/open-adapters.ts';
import { embeddingOutcome, tellEmbedding } from '../../launcher/provider-embedding.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { embedWords } from '../support/provider-server/embed-words.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();
const small = 'openai/text-embedding-3-small@512';

async function refusal(attempt: () => unknown): Promise<LauncherError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof LauncherError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

/** A folder with a policy of one's own, `house`, that has models for both of what the vectors are compared for. */
function judgedByModels(changes: Record<string, unknown> = {}): string {
  const dir = newFolder();
  const shipped = JSON.parse(readFileSync(new URL('../../policies/openai.json', import.meta.url), 'utf8')) as {
    grading: object;
    models: Record<string, unknown>;
  };
  const models = { ...shipped.models, refine: shipped.models['grade'] };
  const policy = { ...shipped, name: 'house', grading: { ...shipped.grading, method: 'model' }, models, ...changes };
  writeFileSync(join(dir, 'house.json'), JSON.stringify(policy));
  return dir;
}

describe('PLUMBLINE_EMBEDDING', () => {
  test.each([
    ['', { provider: 'local' }],
    ['local', { provider: 'local' }],
    [small, { provider: 'openai', model: 'text-embedding-3-small', dimensions: 512 }],
    [
      'openai-compatible/nomic-embed-text:latest@768',
      { provider: 'openai-compatible', model: 'nomic-embed-text:latest', dimensions: 768 },
    ],
    [
      'openai-compatible/Qwen/Qwen3-Embedding-0.6B@1024',
      { provider: 'openai-compatible', model: 'Qwen/Qwen3-Embedding-0.6B', dimensions: 1024 },
    ],
  ])('%p is %j', (text, expected) => {
    expect(loadSettings({ PLUMBLINE_EMBEDDING: text }).embedding).toEqual(expected);
  });

  test.each([
    'openai',
    'openai/text-embedding-3-small',
    'openai/@512',
    'openai/m@0',
    'openai/m@4097',
    'openai/m@1e3',
    'anthropic/m@512',
    'local/e5-small-v2',
    'openai/a b@512',
  ])('%p is refused with the forms there are', async (text) => {
    const { code, message } = await refusal(() => loadSettings({ PLUMBLINE_EMBEDDING: text }));
    expect(code).toBe('Settings.Invalid');
    for (const form of ['PLUMBLINE_EMBEDDING', 'local', 'openai/MODEL@', 'openai-compatible/MODEL@', small])
      expect(message).toContain(form);
  });
});

describe('at the start of a worker', () => {
  async function told(env: Record<string, string>): Promise<string[]> {
    const lines: string[] = [];
    await tellEmbedding(loadSettings(env), (line) => lines.push(line));
    return lines;
  }

  test.each([
    [small, 'OPENAI_API_KEY'],
    ['openai-compatible/bge-m3@1024', 'OPENAI_COMPATIBLE_BASE_URL'],
  ])('%s without %s is refused, and the doctor is not content', async (embedding, setting) => {
    const env = { PLUMBLINE_EMBEDDING: embedding };
    const { code, message, remedy } = await refusal(() => told(env));
    expect(code).toBe('Settings.Invalid');
    expect(message).toContain(setting);
    expect(remedy).toContain(setting);
    const outcome = embeddingOutcome(loadSettings(env));
    expect(outcome).toMatchObject({ ok: false, remedy: expect.stringContaining(setting) });
  });

  test('one line names the policies whose scores were made for the local model, and so does the doctor', async () => {
    const env = { PLUMBLINE_EMBEDDING: small, OPENAI_API_KEY: 'k' };
    const line =
      'Policy default: scores are calibrated for local/e5-small-v2, not for openai/text-embedding-3-small; ' +
      'use a policy that grades and refines by a model (docs/providers.md).';
    expect(await told(env)).toEqual([line]);
    expect(await told({ OPENAI_API_KEY: 'k' })).toEqual([]);
    const findings = await modelFindings(loadSettings(env));
    expect(findings.find(({ check }) => check === 'Local scores')).toMatchObject({ ok: true, detail: line });
    expect((await modelFindings(loadSettings({}))).map(({ check }) => check)).not.toContain('Local scores');
  });

  test('a policy that grades and refines by a model is not named', async () => {
    const env = { PLUMBLINE_EMBEDDING: small, OPENAI_API_KEY: 'k', PLUMBLINE_POLICY: 'house' };
    const { models } = JSON.parse(readFileSync(join(judgedByModels(), 'house.json'), 'utf8')) as { models: object };
    const local = { provider: 'local', model: 'logistic' };
    const cross = { provider: 'local', model: 'cross-encoder' };
    const named = async (changes: Record<string, unknown>) =>
      (await told({ ...env, PLUMBLINE_POLICIES: judgedByModels(changes) })).length > 0;
    expect(await named({})).toBe(false);
    expect(await named({ models: { ...models, refine: local } })).toBe(true);
    expect(await named({ models: { ...models, grade: local } })).toBe(true);
    expect(await named({ models: { ...models, grade: cross } })).toBe(false);
  });
});

describe('with the embedding model of a provider', () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer({ respond: (request) => embedWords(request) });
  });
  afterAll(() => server.close());

  test('worker and API open one index for its vectors, nothing local is fetched, and another model is refused', async () => {
    const env = {
      PLUMBLINE_DATA_DIR: newFolder(),
      PLUMBLINE_CACHE_DIR: join(newFolder(), 'empty'),
      PLUMBLINE_MAVEN_URL: 'http://127.0.0.1:9/',
    };
    const chosen = { ...env, PLUMBLINE_EMBEDDING: 'openai-compatible/bge-m3@64' };
    const settings = loadSettings({ ...chosen, OPENAI_COMPATIBLE_BASE_URL: server.openaiUrl });
    const closers = new Closers();
    try {
      const { embedding } = await openWorkerAdapters(settings, { closers, log: process.stderr });
      expect(await embedding.embedQuery('late fee')).toHaveLength(64);
      // The API gets no keys and no addresses of providers.
      const { index } = await openApiStores(loadSettings(chosen), closers);
      expect(await index.counts({ tenant: 'a', user: 'u', groups: [] })).toEqual({ documents: 0, passages: 0 });
    } finally {
      await closers.closeAll();
    }
    const { code, message } = await refusal(() => openApiStores(loadSettings(env), closers));
    expect(code).toBe('Index.Unavailable');
    for (const said of ['openai-compatible/bge-m3', 'local/e5-small-v2', 'PLUMBLINE_EMBEDDING', 'PLUMBLINE_DATA_DIR'])
      expect(message).toContain(said);
    const doctored = (await runDoctor(settings)).filter(({ check }) => ['Embedding model', 'Index'].includes(check));
    expect(doctored.map(({ ok }) => ok)).toEqual([true, true]);
    expect(doctored[0]?.detail).toBe('openai-compatible/bge-m3, 64 dimensions');
    const other = (await runDoctor(loadSettings(env))).find(({ check }) => check === 'Index');
    expect(other).toMatchObject({ ok: false, detail: expect.stringContaining('openai-compatible/bge-m3') });
  }, 60_000);
});
