import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ModelChoice } from '../../../domain/contracts/models.ts';
import type { ChatRequest } from '../port.ts';
import { toProviderSchema } from '../provider-schema.ts';

/** The Messages API's request. The system prompt and the schema come first and are the same for every call of a role: the cached prefix. */
export function anthropicRequest(request: ChatRequest, choice: ModelChoice): MessageCreateParamsNonStreaming {
  const { name, json } = request.schema;
  const sampling = choice.temperature === null ? {} : { temperature: choice.temperature };
  return {
    model: choice.model,
    max_tokens: request.maxOutputTokens,
    system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: request.user }],
    output_config: {
      format: { type: 'json_schema', schema: { title: name, ...toProviderSchema(json) } },
      ...(choice.effort === null ? {} : { effort: choice.effort }),
    },
    // The SDK's types know no temperature: its newest models take none. Older ones do.
    ...sampling,
  };
}
