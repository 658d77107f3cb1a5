import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { costUsd, loadPrices, PriceFileError, priceOf, type Price } from '../../adapters/models/pricing/index.ts';
import type { TokenUsage } from '../../domain/contracts/models.ts';
import { modelId } from '../../domain/rules/model-id.ts';
import { loadPolicies } from '../../policies/load.ts';

let dir: string;
let shipped: Price[];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-prices-'));
  shipped = await loadPrices(null);
});
afterAll(() => rm(dir, { recursive: true }));

const used = (usage: Partial<TokenUsage>): TokenUsage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  estimated: false,
  ...usage,
});
const known = (id: string): Price => {
  const price = priceOf(shipped, id);
  if (!price) throw new Error(`no price of ${id}`);
  return price;
};
async function own(prices: unknown, rest: object = { currency: 'USD', per: 'million tokens' }): Promise<string> {
  const file = join(dir, `${crypto.randomUUID()}.json`);
  await writeFile(file, typeof prices === 'string' ? prices : JSON.stringify({ ...rest, prices }));
  return file;
}
const entry = {
  model: 'openai/gpt-6-luna',
  input: 1,
  cachedInput: 1,
  cacheWrite: 1,
  output: 1,
  asOf: '2026-11-30',
  source: 'contract',
};

describe('the shipped prices', () => {
  test('know every model of a shipped policy whose provider sells by the token', async () => {
    const choices = [...(await loadPolicies()).values()].flatMap(({ models }) => Object.values(models));
    const sold = choices.filter(({ provider }) => provider === 'anthropic' || provider === 'openai').map(modelId);
    expect(sold.length).toBeGreaterThan(0);
    expect(sold.filter((id) => priceOf(shipped, id) === null)).toEqual([]);
  });

  test('name each model once, and reading from the cache is never dearer than not', () => {
    expect(new Set(shipped.map(({ model }) => model)).size).toBe(shipped.length);
    for (const { cachedInput, input, cacheWrite } of shipped) {
      expect(cachedInput).toBeLessThan(input);
      expect(cacheWrite).toBeGreaterThanOrEqual(input);
    }
  });

  test('hold for dated snapshots of a model, not for its other variants', () => {
    expect(priceOf(shipped, 'anthropic/claude-haiku-4-5-20251001')).toBe(known('anthropic/claude-haiku-4-5'));
    expect(priceOf(shipped, 'openai/gpt-6-luna-2026-09-22')).toBe(known('openai/gpt-6-luna'));
    expect(priceOf(shipped, 'openai/gpt-6-luna-fast')).toBeNull();
  });

  test.each(['anthropic/claude-unheard-of', 'openai-compatible/gpt-6-luna', 'local/extractive', ''])(
    'of %j are unknown, not zero',
    (id) => expect(priceOf(shipped, id)).toBeNull(),
  );
});

describe('the cost of a call', () => {
  test('counts each kind of token by its own rate', () => {
    const usage = used({ inputTokens: 10_000, cachedInputTokens: 6000, cacheWriteTokens: 1000, outputTokens: 500 });
    // 3000 × 2 + 6000 × 0.1 + 1000 × 2.5 + 500 × 10 millionths of a dollar.
    expect(costUsd(known('anthropic/claude-sonnet-5-5'), usage)).toBe(0.0141);
  });

  test('of a long prompt is that of the long rates for all of it, from one token above the limit on', () => {
    const haiku = known('anthropic/claude-haiku-5-5');
    expect(costUsd(haiku, used({ inputTokens: 100_000, outputTokens: 1000 }))).toBe(0.0105);
    expect(costUsd(haiku, used({ inputTokens: 100_001, outputTokens: 1000 }))).toBe(0.0525005);
    expect(costUsd(haiku, used({ inputTokens: 100_001, cachedInputTokens: 100_001 }))).toBe(0.00500005);
  });

  test('is exact to the trillionth of a dollar, however many tokens and whatever the rates', () => {
    const tokens = fc.nat({ max: 2_000_000 });
    const rate = fc.nat({ max: 100_000_000 });
    fc.assert(
      fc.property(
        fc.array(tokens, { minLength: 4, maxLength: 4 }),
        fc.array(rate, { minLength: 4, maxLength: 4 }),
        (counts, rates) => {
          const [plain = 0, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens = 0] = counts;
          const [input = 0, cachedInput = 0, cacheWrite = 0, output = 0] = rates.map((millionths) => millionths / 1e6);
          const price: Price = { ...entry, input, cachedInput, cacheWrite, output };
          const usage = used({
            inputTokens: plain + cachedInputTokens + cacheWriteTokens,
            cachedInputTokens,
            cacheWriteTokens,
            outputTokens,
          });
          const exact = counts.reduce((sum, count, at) => sum + BigInt(count) * BigInt(rates[at] ?? 0), 0n);
          expect(costUsd(price, usage)).toBe(Number(exact) / 1e12);
        },
      ),
    );
  });

  test('of two calls is the sum of their costs, where neither is long', () => {
    const sol = known('openai/gpt-6.2-sol');
    const some = fc.record({ inputTokens: fc.nat(100_000), outputTokens: fc.nat(10_000) });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const both = { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
        expect(costUsd(sol, used(a)) + costUsd(sol, used(b))).toBeCloseTo(costUsd(sol, used(both)), 10);
      }),
    );
  });
});

describe('a price file of one’s own', () => {
  test('goes before the shipped prices, and adds to them', async () => {
    const prices = await loadPrices(await own([entry, { ...entry, model: 'openai-compatible/*', input: 0 }]));
    expect(priceOf(prices, 'openai/gpt-6-luna')).toMatchObject({ input: 1, source: 'contract' });
    expect(priceOf(prices, 'openai-compatible/any-model:8b')).toMatchObject({ input: 0 });
    expect(priceOf(prices, 'anthropic/claude-sonnet-5-5')).toEqual(known('anthropic/claude-sonnet-5-5'));
  });

  test('with a `*` overrides the shipped price of one model too', async () => {
    const prices = await loadPrices(await own([{ ...entry, model: 'anthropic/*' }]));
    expect(priceOf(prices, 'anthropic/claude-sonnet-5-5')).toMatchObject({ source: 'contract' });
  });

  test.each([
    ['no JSON', '{', 'JSON'],
    ['another currency', { currency: 'EUR', per: 'million tokens' }, 'currency'],
    ['a price per thousand', { currency: 'USD', per: 'thousand tokens' }, 'per'],
  ])('with %s is refused', async (_name, content, said) => {
    const file = await (typeof content === 'string' ? own(content) : own([], content));
    const failure = loadPrices(file);
    await expect(failure).rejects.toThrow(PriceFileError);
    await expect(failure).rejects.toThrow(said);
    await expect(failure).rejects.toThrow(file);
  });

  test.each([
    [{ input: -1 }, 'prices.0.input'],
    [{ input: '1' }, 'prices.0.input'],
    [{ output: 0.000_000_1 }, 'prices.0.output'],
    [{ asOf: 'yesterday' }, 'prices.0.asOf'],
    [{ model: '*luna' }, 'prices.0.model'],
    [{ colour: 'red' }, 'prices.0'],
  ])('with %j is refused by the field', async (wrong, field) => {
    await expect(loadPrices(await own([{ ...entry, ...wrong }]))).rejects.toThrow(field);
  });

  test('that is not there is refused by name', async () => {
    await expect(loadPrices(join(dir, 'nowhere.json'))).rejects.toThrow('nowhere.json');
  });
});
