import type { ModelChoice } from '../../../domain/contracts/models.ts';
import { modelId } from '../../../domain/rules/model-id.ts';
import type { ChatModel, ChatRequest } from '../port.ts';
import { callProvider, timeoutOf, type ChatDependencies } from '../provider-call.ts';
import { eventsOf } from '../provider-events.ts';
import { clientOf, type OpenAiSettings } from './client.ts';
import { openAiFault } from './fault.ts';
import { openAiRequest } from './request.ts';
import { openAiUsage } from './usage.ts';

/** A chat model of OpenAI's or of a compatible server, through Chat Completions with structured output. */
export function createOpenAiChat(settings: OpenAiSettings, choice: ModelChoice, deps: ChatDependencies): ChatModel {
  const { provider } = settings;
  const client = clientOf(settings);
  const callee = { provider, model: choice.model };
  const options = (request: ChatRequest, signal: AbortSignal) => ({
    callee,
    request,
    signal,
    deps,
    toFault: openAiFault,
  });
  const timeout = timeoutOf(deps);

  return {
    id: modelId(choice),
    countTokens: deps.countTokens,
    costOf: deps.costOf,

    complete: (request, signal) =>
      callProvider(options(request, signal), async (call) => {
        const params = openAiRequest(request, choice, provider);
        const completion = await client.chat.completions.create(params, { signal: call.signal, timeout });
        if (!Array.isArray(completion?.choices)) throw new SyntaxError('an answer without choices');
        const [said] = completion.choices;
        call.text = said?.message?.content ?? '';
        call.tell(openAiUsage(completion.usage), { all: true });
        // No choice at all is an empty answer; a choice that does not say why it ended is not known to be whole.
        const finish = said === undefined ? 'stop' : said.finish_reason;
        return call.conclude({ finish, refused: Boolean(said?.message?.refusal) });
      }),

    stream: (request, { onText, signal }) =>
      callProvider(options(request, signal), async (call) => {
        const chunks = await client.chat.completions.create(
          { ...openAiRequest(request, choice, provider), stream: true, stream_options: { include_usage: true } },
          { signal: call.signal, timeout },
        );
        let finish: string | null = null;
        let refused = false;
        for await (const chunk of eventsOf(chunks)) {
          const said = chunk.choices?.[0];
          if (said?.delta?.content) {
            call.piece(said.delta.content);
            onText(said.delta.content);
          }
          if (said?.delta?.refusal) refused = true;
          finish = said?.finish_reason ?? finish;
          // Some servers tell a count with every piece.
          call.tell(openAiUsage(chunk.usage), { all: finish !== null });
        }
        return call.conclude({ finish, refused });
      }),
  };
}
