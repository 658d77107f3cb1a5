import type { TokenUsage } from '../../../domain/contracts/models.ts';
import type { Price, Rates } from './price-list.ts';

/** `-20251001` or `-2026-03-17`, as providers name snapshots. */
const snapshot = /-(\d{8}|\d{4}-\d{2}-\d{2})$/;
/** US dollars per million tokens are millionths of a dollar a token; in millionths of these, every rate is a whole number. */
const perRate = 1e6;
const perUsd = 1e12;

/** The first price that names `provider/model`, by its own name, as its snapshot or by a `*`; null where there is none. */
export function priceOf(prices: readonly Price[], modelId: string): Price | null {
  const names = [modelId, modelId.replace(snapshot, '')];
  const matches = ({ model }: Price) =>
    model.endsWith('*') ? modelId.startsWith(model.slice(0, -1)) : names.includes(model);
  return prices.find(matches) ?? null;
}

/** US dollars for one call. The sum is exact in whole trillionths of a dollar; only the number that it becomes is rounded. */
export function costUsd(price: Price, usage: TokenUsage): number {
  const { longPrompt } = price;
  const rates: Rates = longPrompt && usage.inputTokens > longPrompt.above ? longPrompt : price;
  const { cachedInputTokens, cacheWriteTokens, outputTokens } = usage;
  const plainInput = Math.max(0, usage.inputTokens - cachedInputTokens - cacheWriteTokens);
  const parts: [number, number][] = [
    [plainInput, rates.input],
    [cachedInputTokens, rates.cachedInput],
    [cacheWriteTokens, rates.cacheWrite],
    [outputTokens, rates.output],
  ];
  const total = parts.reduce((sum, [tokens, rate]) => sum + BigInt(tokens) * BigInt(Math.round(rate * perRate)), 0n);
  return Number(total) / perUsd;
}
