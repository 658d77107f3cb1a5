import { priceOf, type Price } from '../adapters/models/pricing/index.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { modelId } from '../domain/rules/model-id.ts';

export const ceilingRemedy = 'Name their prices in the file of PLUMBLINE_PRICES, as docs/providers.md shows it.';

/**
 * Why a policy's cost ceiling cannot hold: models without a known price, which add nothing to a run's cost. Null where it can, or there is none.
 */
export function ceilingGap(policy: Policy, prices: Price[]): string | null {
  const { maxCostUsd } = policy.budget;
  if (maxCostUsd === null) return null;
  const paid = Object.values(policy.models).filter(({ provider }) => provider !== 'local');
  const unpriced = [...new Set(paid.map(modelId))].filter((id) => priceOf(prices, id) === null);
  if (unpriced.length === 0) return null;
  return `its ceiling of ${maxCostUsd} USD cannot hold: no price is known for ${unpriced.join(', ')}`;
}
