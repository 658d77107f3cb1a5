import { dimensions, modelId as localId } from './local/e5.ts';
import { modelId } from '../../domain/rules/model-id.ts';

/** A provider's model, and how long its vectors shall be. */
export interface ProviderEmbeddingChoice {
  provider: 'openai' | 'openai-compatible';
  /** The provider's own name of it. */
  model: string;
  dimensions: number;
}

/** Who turns texts into vectors, for all tenants and policies. */
export type EmbeddingChoice = { provider: 'local' } | ProviderEmbeddingChoice;

/** Whose vectors an index holds: those of two models, or of two lengths, cannot be compared. */
export interface VectorSpace {
  /** As `EmbeddingModel.id`. */
  model: string;
  dimensions: number;
}

export function vectorSpaceOf(choice: EmbeddingChoice): VectorSpace {
  return choice.provider === 'local'
    ? { model: localId, dimensions }
    : { model: modelId(choice), dimensions: choice.dimensions };
}
