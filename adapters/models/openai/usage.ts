import type OpenAI from 'openai';
import type { ToldUsage } from '../provider-call.ts';

/** Null where the server told none, as some compatible ones do. */
export function openAiUsage(usage: OpenAI.CompletionUsage | null | undefined): ToldUsage | null {
  if (!usage) return null;
  return {
    inputTokens: usage.prompt_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: usage.completion_tokens,
  };
}
