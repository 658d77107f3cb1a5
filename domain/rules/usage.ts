import type { Usage, UsageCall } from '../contracts/answer.ts';

/** Sums of a run's model calls. A call without a known price adds nothing to the cost and marks the sums as estimated. */
export function usageOf(calls: readonly UsageCall[]): Usage {
  const sum = (pick: (call: UsageCall) => number) => calls.reduce((total, call) => total + pick(call), 0);
  return {
    inputTokens: sum((call) => call.inputTokens),
    cachedInputTokens: sum((call) => call.cachedInputTokens),
    outputTokens: sum((call) => call.outputTokens),
    costUsd: costOf(calls),
    estimated: calls.some((call) => call.estimated || call.costUsd === null),
    calls: [...calls],
  };
}

/** US dollars, to the millionth. */
export function costOf(calls: readonly UsageCall[]): number {
  return microUsd(calls) / 1e6;
}

/** Millionths of a US dollar, rounded once for the whole. */
export function microUsd(calls: readonly UsageCall[]): number {
  return Math.round(calls.reduce((total, call) => total + (call.costUsd ?? 0), 0) * 1e6);
}
