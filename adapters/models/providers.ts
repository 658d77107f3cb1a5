import type { ModelChoice, Provider } from '../../domain/contracts/models.ts';
import { modelId } from '../../domain/rules/model-id.ts';
import { createPairScorer, type LocalPairScorer } from './local/index.ts';
import type { PairKind } from './local/pair-kinds.ts';
import { isPairKind, neededSetting } from './needed-setting.ts';
import { ModelError, type ChatModel, type ModelProviders } from './port.ts';
import { costUsd, loadPrices, priceOf, type Price } from './pricing/index.ts';
import { loadTokenCounter } from './tokens/token-counter.ts';

export interface ModelProvidersConfig {
  anthropic: { apiKey: string; baseUrl: string | null } | null;
  openai: { apiKey: string; baseUrl: string | null } | null;
  /** A server that speaks OpenAI's protocol; most ask for no key. */
  compatible: { baseUrl: string; apiKey: string | null } | null;
  /** Folders of local ONNX models. */
  pairScorers: { crossEncoderDir: string | null; entailmentDir: string | null };
  /** File with prices before the shipped ones. */
  prices: string | null;
}

type ChatProvider = Exclude<Provider, 'local'>;
type CreateChat = (choice: ModelChoice) => ChatModel;

/**
 * The models that the configuration allows. Only what is configured is loaded, here and not at the first question: a provider's SDK, its
 * tokenizer, the weights of a local model. Chat models are made once per choice.
 * @throws ModelError when a configured local model cannot be used; PriceFileError
 */
export async function createModelProviders(config: ModelProvidersConfig): Promise<ModelProviders> {
  const prices = await loadPrices(config.prices);
  const create = await chatFactories(config, prices);
  const scorers = await openPairScorers(config.pairScorers);
  const chats = new Map<string, ChatModel>();

  return {
    chat(choice) {
      const key = JSON.stringify(choice);
      const known = chats.get(key);
      if (known) return known;
      const factory = choice.provider === 'local' ? undefined : create[choice.provider];
      if (!factory) throw notConfigured(choice);
      const chat = factory(choice);
      chats.set(key, chat);
      return chat;
    },
    pairScorer(choice) {
      const scorer = choice.provider === 'local' && isPairKind(choice.model) ? scorers.get(choice.model) : undefined;
      if (!scorer) throw notConfigured(choice);
      return scorer;
    },
    async close() {
      await Promise.all([...scorers.values()].map((scorer) => scorer.close()));
    },
  };
}

async function chatFactories(
  { anthropic, openai, compatible }: ModelProvidersConfig,
  prices: readonly Price[],
): Promise<Partial<Record<ChatProvider, CreateChat>>> {
  const create: Partial<Record<ChatProvider, CreateChat>> = {};
  if (anthropic) {
    const { createAnthropicChat } = await import('./anthropic/index.ts');
    const settings = { apiKey: anthropic.apiKey, baseURL: anthropic.baseUrl ?? undefined };
    const depsOf = await chatDependencies('anthropic', prices);
    create.anthropic = (choice) => createAnthropicChat(settings, choice, depsOf(choice));
  }
  if (openai || compatible) {
    const { createOpenAiChat } = await import('./openai/index.ts');
    if (openai) {
      const settings = { apiKey: openai.apiKey, baseURL: openai.baseUrl ?? undefined, provider: 'openai' as const };
      const depsOf = await chatDependencies('openai', prices);
      create.openai = (choice) => createOpenAiChat(settings, choice, depsOf(choice));
    }
    if (compatible) {
      const { apiKey, baseUrl } = compatible;
      const settings = { apiKey, baseURL: baseUrl, provider: 'openai-compatible' as const };
      const depsOf = await chatDependencies('openai-compatible', prices);
      create['openai-compatible'] = (choice) => createOpenAiChat(settings, choice, depsOf(choice));
    }
  }
  return create;
}

/** What the chat models of a provider need beside its key: how to count tokens, and what they cost. */
async function chatDependencies(provider: ChatProvider, prices: readonly Price[]) {
  const countTokens = await loadTokenCounter(provider);
  return (choice: ModelChoice) => {
    const price = priceOf(prices, modelId(choice));
    return { countTokens, costOf: (usage: Parameters<ChatModel['costOf']>[0]) => price && costUsd(price, usage) };
  };
}

/** All or none: when one cannot be opened, the others are closed again. */
async function openPairScorers({
  crossEncoderDir,
  entailmentDir,
}: ModelProvidersConfig['pairScorers']): Promise<Map<PairKind, LocalPairScorer>> {
  const wanted: [PairKind, string | null][] = [
    ['cross-encoder', crossEncoderDir],
    ['entailment', entailmentDir],
  ];
  const opened = new Map<PairKind, LocalPairScorer>();
  try {
    for (const [kind, dir] of wanted) if (dir !== null) opened.set(kind, await createPairScorer({ kind, dir }));
    return opened;
  } catch (error) {
    await Promise.all([...opened.values()].map((scorer) => scorer.close()));
    throw error;
  }
}

function notConfigured(choice: ModelChoice): ModelError {
  const setting = neededSetting(choice);
  const why = setting === null ? 'there is no such model' : `${setting} is not set`;
  return new ModelError('not_configured', `${modelId(choice)} cannot be used: ${why}.`, { retryable: false });
}
