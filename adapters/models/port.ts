import type { ModelChoice, TokenUsage } from '../../domain/contracts/models.ts';

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

/** One question to a chat model, answered as JSON of the given schema. */
export interface ChatRequest {
  /** The same for every call of a role: the prefix that providers cache. */
  system: string;
  user: string;
  /** Draft 2020-12, strict: every property required, no additional ones. */
  schema: { name: string; json: Record<string, unknown> };
  maxOutputTokens: number;
}

export interface ChatAnswer {
  /** JSON text, not yet parsed. */
  text: string;
  /** `length`: cut off at the token limit, so the text is not whole. */
  finish: 'stop' | 'length';
  usage: TokenUsage;
}

/**
 * A chat model of one provider. Both calls make exactly one HTTP request: retries belong to Temporal.
 * @throws ModelError, also where the signal is one of `AbortSignal.timeout`; ModelCallCancelled where it was aborted for another reason
 */
export interface ChatModel {
  /** `provider/model`. */
  readonly id: string;
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
  /** As `complete`, telling every piece of text as it comes. */
  stream(request: ChatRequest, options: { onText: (piece: string) => void; signal: AbortSignal }): Promise<ChatAnswer>;
  /** By the model's tokenizer, or an approximation that does not count too few. */
  countTokens(text: string): number;
  /** US dollars; null where no price is known. */
  costOf(usage: TokenUsage): number | null;
}

/** Scores pairs of texts 0–1, in order: relevance of a passage to a question, or entailment of a statement by its quotes. @throws ModelError */
export interface PairScorer {
  readonly id: string;
  score(pairs: { first: string; second: string }[], signal: AbortSignal): Promise<number[]>;
}

/** The models that roles may be given to. */
export interface ModelProviders {
  /** @throws ModelError `not_configured` where the provider's key or address is missing. */
  chat(choice: ModelChoice): ChatModel;
  /** A local ONNX cross-encoder or entailment model. @throws ModelError `not_configured` where its path is not set. */
  pairScorer(choice: ModelChoice): PairScorer;
  close(): Promise<void>;
}

export type ModelErrorCode =
  | 'not_configured'
  | 'not_installed'
  | 'bad_model'
  | 'unavailable'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_quota'
  | 'not_found'
  | 'invalid_request'
  | 'context_too_long'
  | 'too_large'
  | 'conflict'
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'timeout'
  | 'stream_broken'
  | 'empty'
  | 'content_filtered'
  | 'refused'
  | 'truncated'
  | 'schema_mismatch';

/** Why a model could not be used. Messages hold no text of documents, questions or answers. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  /** When the provider wants to be asked again at the earliest. */
  readonly retryAfterMs: number | null;
  /** What the failed call cost: as the provider said, or estimated where the call was cut off; null where it cost nothing. */
  readonly usage: TokenUsage | null;
  constructor(
    code: ModelErrorCode,
    message: string,
    options: { retryable: boolean; cause?: unknown; retryAfterMs?: number | null; usage?: TokenUsage | null },
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.usage = options.usage ?? null;
  }
}

/** A call that its caller ended; the reason is the `cause`. */
export class ModelCallCancelled extends Error {
  /** What it had cost until then, estimated; null where it had not begun. */
  readonly usage: TokenUsage | null;
  constructor(reason: unknown, usage: TokenUsage | null) {
    super('the model call was cancelled', { cause: reason });
    this.name = 'ModelCallCancelled';
    this.usage = usage;
  }
}
