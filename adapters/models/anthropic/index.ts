import Anthropic from '@anthropic-ai/sdk';
import type { ModelChoice } from '../../../domain/contracts/models.ts';
import { modelId } from '../../../domain/rules/model-id.ts';
import type { ChatModel, ChatRequest } from '../port.ts';
import { callProvider, timeoutOf, type ChatDependencies } from '../provider-call.ts';
import { eventsOf } from '../provider-events.ts';
import { anthropicFault } from './fault.ts';
import { anthropicRequest } from './request.ts';
import { anthropicUsage } from './usage.ts';

export interface AnthropicSettings {
  apiKey: string;
  baseURL?: string | undefined;
}

const clients = new WeakMap<AnthropicSettings, Anthropic>();

/** One client for all choices of the same settings object. It never retries, and logs nothing: its log would hold prompts and answers. */
function clientOf(settings: AnthropicSettings): Anthropic {
  const { apiKey, baseURL = 'https://api.anthropic.com' } = settings;
  const client =
    clients.get(settings) ??
    new Anthropic({
      apiKey,
      baseURL,
      maxRetries: 0,
      logLevel: 'off',
      // A redirect would take documents and key to another host, and make two calls of one.
      fetchOptions: { redirect: 'manual' },
    });
  clients.set(settings, client);
  return client;
}

/** A chat model of Anthropic's, through the Messages API with structured output. */
export function createAnthropicChat(
  settings: AnthropicSettings,
  choice: ModelChoice,
  deps: ChatDependencies,
): ChatModel {
  const client = clientOf(settings);
  const callee = { provider: 'anthropic' as const, model: choice.model };
  const options = (request: ChatRequest, signal: AbortSignal) => ({
    callee,
    request,
    signal,
    deps,
    toFault: anthropicFault,
  });
  const timeout = timeoutOf(deps);

  return {
    id: modelId(choice),
    countTokens: deps.countTokens,
    costOf: deps.costOf,

    complete: (request, signal) =>
      callProvider(options(request, signal), async (call) => {
        const params = anthropicRequest(request, choice);
        const message = await client.messages.create(params, { signal: call.signal, timeout });
        if (!Array.isArray(message?.content)) throw new SyntaxError('an answer without content');
        call.text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        call.tell(anthropicUsage(message.usage), { all: true });
        return call.conclude({ finish: message.stop_reason, refused: false });
      }),

    stream: (request, { onText, signal }) =>
      callProvider(options(request, signal), async (call) => {
        const params = anthropicRequest(request, choice);
        const events = await client.messages.create({ ...params, stream: true }, { signal: call.signal, timeout });
        let first: Anthropic.Usage | null = null;
        let finish: string | null = null;
        let ended = false;
        for await (const event of eventsOf(events)) {
          switch (event.type) {
            case 'message_start':
              first = event.message.usage;
              call.tell(anthropicUsage(first), { all: false });
              break;
            case 'content_block_delta':
              if (event.delta.type !== 'text_delta') break;
              call.piece(event.delta.text);
              onText(event.delta.text);
              break;
            case 'message_delta':
              finish = event.delta.stop_reason;
              call.tell(anthropicUsage(event.usage, first), { all: true });
              break;
            case 'message_stop':
              ended = true;
              break;
            case 'content_block_start':
            case 'content_block_stop':
              break;
          }
        }
        return call.conclude({ finish: ended ? finish : null, refused: false });
      }),
  };
}
