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
  // What looks like a control token in a document is text like any other.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}
