/** Turns text into vectors of unit length. Queries and passages are embedded differently by asymmetric models. */
export interface EmbeddingModel {
  /** For `versions.models`, e.g. `local/e5-small-v2`. */
  readonly id: string;
  readonly dimensions: number;
  /** Longest text, as `countTokens` counts it, that the model takes in as a whole. None of a longer one is dropped, but its vector is coarser. */
  readonly maxTokens: number;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** One vector a text, in order. */
  embedPassages(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
  countTokens(text: string): number;
  close(): Promise<void>;
}

/** Why a model could not be used. Messages hold no document text. */
export class ModelError extends Error {
  readonly code: 'unavailable' | 'not_installed' | 'bad_model';
  readonly retryable: boolean;
  constructor(code: ModelError['code'], message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = options.retryable;
  }
}
