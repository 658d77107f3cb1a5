import { ModelError } from '../port.ts';

/** A ModelError as it crosses from a model's thread, where classes and causes are lost. */
export type ModelFailure = { code: ModelError['code']; message: string; retryable: boolean };

/**
 * The only place where an error of ONNX Runtime, of the tokenizer or of the file system becomes a typed one. Running out of
 * memory or file handles passes with time; anything else that a model raises, it would raise again.
 */
export function toModelFailure(error: unknown, doing: string, model = 'The embedding model'): ModelFailure {
  if (error instanceof ModelError) return { code: error.code, message: error.message, retryable: error.retryable };
  const detail = error instanceof Error ? error.message : String(error);
  const passing = /bad_alloc|allocat|out of memory|EMFILE|ENFILE|ENOMEM/i.test(detail);
  return {
    code: passing ? 'unavailable' : 'bad_model',
    message: `${model} failed while ${doing}: ${detail.trim()}`,
    retryable: passing,
  };
}

export function fromModelFailure({ code, message, retryable }: ModelFailure, cause?: unknown): ModelError {
  return new ModelError(code, message, { retryable, cause });
}
