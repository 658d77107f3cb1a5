import type OpenAI from 'openai';
import type { ModelChoice } from '../../../domain/contracts/models.ts';
import type { ChatRequest } from '../port.ts';
import { toProviderSchema } from '../provider-schema.ts';

export type OpenAiProvider = 'openai' | 'openai-compatible';

/**
 * The Chat Completions request. Compatible servers get the older `max_tokens` and no `strict`, which some of them refuse; they hold to the
 * schema without it.
 */
export function openAiRequest(
  request: ChatRequest,
  choice: ModelChoice,
  provider: OpenAiProvider,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const schema = { name: request.schema.name, schema: toProviderSchema(request.schema.json) };
  const limit = request.maxOutputTokens;
  return {
    model: choice.model,
    messages: [
      { role: 'system', content: request.system },
      { role: 'user', content: request.user },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: provider === 'openai' ? { ...schema, strict: true } : schema,
    },
    ...(provider === 'openai' ? { max_completion_tokens: limit } : { max_tokens: limit }),
    ...(choice.temperature === null ? {} : { temperature: choice.temperature }),
    ...(choice.effort === null ? {} : { reasoning_effort: choice.effort }),
  };
}
