import { modelId } from '../../domain/rules/model-id.ts';
import type { ProviderEmbeddingChoice } from './embedding-choice.ts';
import { neededSetting } from './needed-setting.ts';
import { ModelError, type EmbeddingModel } from './port.ts';
import type { ModelProvidersConfig } from './providers.ts';
import { loadEmbeddingTokenCounter } from './tokens/token-counter.ts';

/**
 * The embedding model of a provider, with the keys and addresses of the chat models. Nothing is asked of it yet.
 * @throws ModelError `not_configured` where the key or address is missing
 */
export async function createProviderEmbedding(
  choice: ProviderEmbeddingChoice,
  { openai, compatible }: Pick<ModelProvidersConfig, 'openai' | 'compatible'>,
): Promise<EmbeddingModel> {
  const access = choice.provider === 'openai' ? openai : compatible;
  if (access === null) {
    const message = `${modelId(choice)} cannot be used for embeddings: ${neededSetting(choice)} is not set.`;
    throw new ModelError('not_configured', message, { retryable: false });
  }
  const { createOpenAiEmbedding } = await import('./openai/embedding.ts');
  const countTokens = await loadEmbeddingTokenCounter(choice.provider);
  return createOpenAiEmbedding({ ...choice, ...access }, { countTokens });
}
