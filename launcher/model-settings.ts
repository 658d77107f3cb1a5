import { z } from 'zod';
import type { EmbeddingChoice } from '../adapters/models/embedding-choice.ts';
import type { ModelProvidersConfig } from '../adapters/models/providers.ts';
import { embeddingVariable } from './embedding-setting.ts';
import { apiAddress, key, pathOf, text } from './setting-kinds.ts';

/** The variables of model providers and policies. */
export const modelVariables = {
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: apiAddress,
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: apiAddress,
  OPENAI_COMPATIBLE_BASE_URL: apiAddress,
  OPENAI_COMPATIBLE_API_KEY: key,
  PLUMBLINE_CROSS_ENCODER_DIR: text,
  PLUMBLINE_ENTAILMENT_DIR: text,
  PLUMBLINE_PRICES: text,
  PLUMBLINE_EMBEDDING: embeddingVariable,
  PLUMBLINE_POLICY: z.string().default('default'),
  PLUMBLINE_POLICIES: text,
};
type ModelVariables = z.infer<z.ZodObject<typeof modelVariables>>;

export type ModelSettings = {
  /** Keys and addresses of model providers; never to be printed. */
  models: ModelProvidersConfig;
  embedding: EmbeddingChoice;
  policies: {
    /** The policy of a question that names none. */
    byDefault: string;
    /** Folder with policies beside the shipped ones. */
    dir: string | null;
  };
};

export function modelSettings(e: ModelVariables): ModelSettings {
  return {
    models: {
      anthropic: provider(e.ANTHROPIC_API_KEY, e.ANTHROPIC_BASE_URL),
      openai: provider(e.OPENAI_API_KEY, e.OPENAI_BASE_URL),
      compatible:
        e.OPENAI_COMPATIBLE_BASE_URL === undefined
          ? null
          : { baseUrl: e.OPENAI_COMPATIBLE_BASE_URL, apiKey: e.OPENAI_COMPATIBLE_API_KEY ?? null },
      pairScorers: {
        crossEncoderDir: pathOf(e.PLUMBLINE_CROSS_ENCODER_DIR),
        entailmentDir: pathOf(e.PLUMBLINE_ENTAILMENT_DIR),
      },
      prices: pathOf(e.PLUMBLINE_PRICES),
    },
    embedding: e.PLUMBLINE_EMBEDDING,
    policies: { byDefault: e.PLUMBLINE_POLICY, dir: pathOf(e.PLUMBLINE_POLICIES) },
  };
}

/** An address without a key is of no use. */
function provider(apiKey: string | undefined, baseUrl: string | undefined): ModelProvidersConfig['openai'] {
  return apiKey === undefined ? null : { apiKey, baseUrl: baseUrl ?? null };
}
