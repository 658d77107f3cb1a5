import type { Provider } from '../../../domain/contracts/models.ts';
import { approximateTokens } from './approximate.ts';

export type CountTokens = (text: string) => number;

/**
 * How tokens of the provider's models are counted: exactly for OpenAI (o200k_base, of all models since GPT-4o; 80 MB once loaded), by an
 * approximation that does not count too few for the others, whose tokenizers are not public or not known.
 */
export async function loadTokenCounter(provider: Exclude<Provider, 'local'>): Promise<CountTokens> {
  if (provider !== 'openai') return approximateTokens;
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return asText(countTokens);
}

/**
 * The same for embedding models: exactly for OpenAI's (cl100k_base, of all of them up to text-embedding-3; 80 MB once loaded), by the
 * approximation for those of compatible servers.
 */
export async function loadEmbeddingTokenCounter(provider: 'openai' | 'openai-compatible'): Promise<CountTokens> {
  if (provider !== 'openai') return approximateTokens;
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  return asText(countTokens);
}

/** What looks like a control token in a document is text like any other. */
function asText(count: (text: string, options: { disallowedSpecial: Set<string> }) => number): CountTokens {
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => count(text, options);
}
