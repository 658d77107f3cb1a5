import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createModelProviders, type ModelProvidersConfig } from '../../adapters/models/providers.ts';
import { ModelError, type ChatModel, type ModelProviders } from '../../adapters/models/port.ts';
import { modelChoiceSchema, type ModelChoice, type Provider } from '../../domain/contracts/models.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { request } from './providers/chats.ts';

const never = new AbortController().signal;
const nothing: ModelProvidersConfig = {
  anthropic: null,
  openai: null,
  compatible: null,
  pairScorers: { crossEncoderDir: null, entailmentDir: null },
  prices: null,
};
const choice = (provider: Provider, model: string): ModelChoice => modelChoiceSchema.parse({ provider, model });
const haiku = choice('anthropic', 'claude-haiku-5-5');
const sol = choice('openai', 'gpt-6.2-sol');
const own = choice('openai-compatible', 'qwen3:8b');

let server: ProviderServer;
let folder: string;
beforeAll(async () => {
  server = await startProviderServer({
    respond: () => ({ says: { query: 'late fee' }, usage: { input: 1000, output: 100 } }),
  });
  folder = await mkdtemp(join(tmpdir(), 'plumbline-providers-'));
  const fixtures = join(import.meta.dirname, 'fixtures', 'pair-models');
  await copyFile(join(fixtures, 'relevance.onnx'), join(folder, 'model.onnx'));
  await copyFile(join(fixtures, 'tokenizer.json'), join(folder, 'tokenizer.json'));
  await writeFile(join(folder, 'config.json'), '{}');
});
beforeEach(() => server.clear());
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function all(): Promise<ModelProviders> {
  return createModelProviders({
    ...nothing,
    anthropic: { apiKey: 'key-a', baseUrl: server.anthropicUrl },
    openai: { apiKey: 'key-o', baseUrl: server.openaiUrl },
    compatible: { baseUrl: server.openaiUrl, apiKey: null },
  });
}

function refusal(use: () => unknown): ModelError {
  try {
    use();
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('configured providers', () => {
  test('answer with their own key at their own address, and tell what it cost', async () => {
    const providers = await all();
    const asked = async (model: ChatModel) => model.costOf((await model.complete(request, never)).usage);
    expect(await asked(providers.chat(haiku))).toBe(0.00015);
    expect(await asked(providers.chat(sol))).toBe(0.003);
    expect(await asked(providers.chat(own))).toBeNull();
    const [anthropic, openai, compatible] = server.journal.map(({ request: sent }) => sent);
    expect(anthropic).toMatchObject({ protocol: 'anthropic', headers: { authorization: 'Bearer key-a' } });
    expect(openai).toMatchObject({ protocol: 'openai', headers: { authorization: 'Bearer key-o' } });
    expect(compatible).toMatchObject({ protocol: 'openai' });
    expect(JSON.stringify(compatible?.headers)).not.toContain('key-');
    await providers.close();
  });

  test('make a chat model once for a choice, another for other options', async () => {
    const providers = await all();
    expect(providers.chat(haiku)).toBe(providers.chat({ ...haiku }));
    expect(providers.chat(haiku)).not.toBe(providers.chat({ ...haiku, effort: 'low' }));
    expect(providers.chat(haiku).id).toBe('anthropic/claude-haiku-5-5');
    expect(providers.chat(own).id).toBe('openai-compatible/qwen3:8b');
  });

  test('count tokens as their models do', async () => {
    const providers = await all();
    const text = 'The fee is 12 % of the deposit.';
    expect(providers.chat(sol).countTokens(text)).toBe(10);
    expect(providers.chat(haiku).countTokens(text)).toBeGreaterThan(10);
    expect(providers.chat(own).countTokens(text)).toBe(providers.chat(haiku).countTokens(text));
  });

  test('take prices of one’s own', async () => {
    const prices = join(folder, 'prices.json');
    const free = { model: 'openai-compatible/*', input: 0, cachedInput: 0, cacheWrite: 0, output: 0 };
    const list = [{ ...free, asOf: '2026-11-30', source: 'our own server' }];
    await writeFile(prices, JSON.stringify({ currency: 'USD', per: 'million tokens', prices: list }));
    const compatible = { baseUrl: server.openaiUrl, apiKey: null };
    const model = (await createModelProviders({ ...nothing, compatible, prices })).chat(own);
    expect(model.costOf((await model.complete(request, never)).usage)).toBe(0);
  });

  test('open the local pair models whose folders are named', async () => {
    const pairScorers = { crossEncoderDir: folder, entailmentDir: null };
    const providers = await createModelProviders({ ...nothing, pairScorers });
    const scorer = providers.pairScorer(choice('local', 'cross-encoder'));
    expect(scorer.id).toBe('local/cross-encoder');
    await expect(scorer.score([{ first: 'fee', second: 'fee' }], never)).resolves.toHaveLength(1);
    await providers.close();
  });

  test('with a folder that is none are not opened, and say which', async () => {
    const pairScorers = { crossEncoderDir: folder, entailmentDir: join(folder, 'nowhere') };
    await expect(createModelProviders({ ...nothing, pairScorers })).rejects.toMatchObject({
      code: 'not_installed',
      message: expect.stringContaining('PLUMBLINE_ENTAILMENT_DIR'),
    });
  });
});

describe('what is not configured', () => {
  test.each<[ModelChoice, string]>([
    [haiku, 'ANTHROPIC_API_KEY'],
    [sol, 'OPENAI_API_KEY'],
    [own, 'OPENAI_COMPATIBLE_BASE_URL'],
  ])('%j is refused with what to set', async (wanted, setting) => {
    const providers = await createModelProviders(nothing);
    const error = refusal(() => providers.chat(wanted));
    expect(error).toMatchObject({ code: 'not_configured', retryable: false });
    expect(error.message).toContain(setting);
    expect(error.message).toContain(wanted.model);
  });

  test('one provider does not keep another from its work', async () => {
    const openai = { apiKey: 'key-o', baseUrl: server.openaiUrl };
    const providers = await createModelProviders({ ...nothing, openai });
    await expect(providers.chat(sol).complete(request, never)).resolves.toMatchObject({ finish: 'stop' });
    expect(refusal(() => providers.chat(haiku)).code).toBe('not_configured');
  });

  test('a pair model is refused with what to set, and one that nobody knows as such', async () => {
    const providers = await createModelProviders(nothing);
    expect(refusal(() => providers.pairScorer(choice('local', 'entailment'))).message).toContain(
      'PLUMBLINE_ENTAILMENT_DIR',
    );
    expect(refusal(() => providers.pairScorer(choice('local', 'oracle'))).message).toContain('no such model');
    expect(refusal(() => providers.chat(choice('local', 'extractive'))).message).toContain('local/extractive');
  });

  // Names of packages that were loaded in a process of its own.
  const run = promisify(execFile);
  test.each<[string, Partial<ModelProvidersConfig>, string[]]>([
    ['without keys nothing', {}, []],
    ['with a key of Anthropic’s only its SDK', { anthropic: { apiKey: 'k', baseUrl: null } }, ['@anthropic-ai/sdk']],
    [
      'with a key of OpenAI’s its SDK and tokenizer',
      { openai: { apiKey: 'k', baseUrl: null } },
      ['gpt-tokenizer', 'openai'],
    ],
    [
      'with a compatible server no tokenizer',
      { compatible: { baseUrl: 'http://localhost:1/v1', apiKey: null } },
      ['openai'],
    ],
  ])('%s is loaded', async (_name, config, packages) => {
    const script = join(import.meta.dirname, 'loaded-packages.ts');
    const { stdout } = await run(process.execPath, [script, JSON.stringify({ ...nothing, ...config })]);
    expect(JSON.parse(stdout)).toEqual(packages);
  });
});
