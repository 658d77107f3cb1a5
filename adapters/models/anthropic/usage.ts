import type { ToldUsage } from '../provider-call.ts';

interface AnthropicUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
}

/** Anthropic counts cached tokens beside `input_tokens`, ours within. What `later` tells replaces what was told `before`; null where nothing was. */
export function anthropicUsage(
  later: AnthropicUsage | null | undefined,
  before: AnthropicUsage | null = null,
): ToldUsage | null {
  if (!later && !before) return null;
  const all = { ...before, ...Object.fromEntries(Object.entries(later ?? {}).filter(([, value]) => value != null)) };
  const { input_tokens, output_tokens, cache_read_input_tokens: read, cache_creation_input_tokens: written } = all;
  return {
    inputTokens: (input_tokens ?? 0) + (read ?? 0) + (written ?? 0),
    cachedInputTokens: read ?? 0,
    cacheWriteTokens: written ?? 0,
    outputTokens: output_tokens ?? 0,
  };
}
