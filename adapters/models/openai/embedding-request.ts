import { ModelError } from '../port.ts';
import { toModelError } from '../provider-errors.ts';
import { bodyFault } from '../provider-fault.ts';
import { clientOf, type OpenAiSettings } from './client.ts';
import { vectorsOf } from './embedding-answer.ts';
import { openAiFault } from './fault.ts';

export interface VectorRequestOptions {
  settings: OpenAiSettings;
  model: string;
  dimensions: number;
  /** The longest that a request may take, in ms. */
  timeoutMs: number;
}

/** Texts to vectors of unit length, in order. @throws ModelError; the signal's reason once it is aborted */
export type VectorRequest = (texts: string[], signal?: AbortSignal) => Promise<Float32Array[]>;

/**
 * Asks for the vectors of one batch. OpenAI is told how long they shall be. A compatible server is told so only once it has shown that its own
 * are longer, which costs one more request: vLLM refuses the wish for a model that cannot shorten, also where nothing is to be shortened.
 */
export function vectorRequest(options: VectorRequestOptions): VectorRequest {
  const { settings, dimensions } = options;
  let wish = settings.provider === 'openai';
  return async (texts, signal) => {
    const asked = wish;
    const vectors = await ask(texts, { ...options, wish: asked, signal });
    const own = otherLength(vectors, dimensions);
    if (own === null) return vectors.map((vector) => toUnitLength(vector, options));
    if (asked || own < dimensions) throw wrongLength(own, options);
    const shortened = await ask(texts, { ...options, wish: true, signal });
    const given = otherLength(shortened, dimensions);
    if (given !== null) throw wrongLength(given, options);
    wish = true;
    return shortened.map((vector) => toUnitLength(vector, options));
  };
}

async function ask(
  texts: string[],
  {
    settings,
    model,
    dimensions,
    timeoutMs,
    wish,
    signal,
  }: VectorRequestOptions & { wish: boolean; signal?: AbortSignal | undefined },
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const { provider } = settings;
  const callee = { provider, model, embedding: true } as const;
  const limit = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  const body = {
    model,
    // Providers refuse an empty text.
    input: texts.map((text) => text || ' '),
    // A quarter of the bytes; some compatible servers know numbers only.
    encoding_format: provider === 'openai' ? ('base64' as const) : ('float' as const),
    ...(wish ? { dimensions } : {}),
  };
  try {
    const answer: unknown = await clientOf(settings).embeddings.create(body, { signal: either, timeout: timeoutMs });
    return vectorsOf(answer, texts.length);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) throw toModelError({ kind: 'timeout', silent: false }, callee, null);
    const fault = openAiFault(error) ?? bodyFault(error);
    throw fault === null ? error : toModelError(fault, callee, null);
  }
}

/** The length of the first vector that has another one; null where all are as wanted. */
function otherLength(vectors: Float32Array[], dimensions: number): number | null {
  return vectors.find((vector) => vector.length !== dimensions)?.length ?? null;
}

function wrongLength(given: number, { settings: { provider }, model, dimensions }: VectorRequestOptions): ModelError {
  const message = `${provider} gives vectors of ${given} dimensions for ${model}, not ${dimensions}: set PLUMBLINE_EMBEDDING to ${provider}/${model}@${given}, or to another model`;
  return new ModelError('bad_model', message, { retryable: false });
}

function toUnitLength(vector: Float32Array, { settings: { provider }, model }: VectorRequestOptions): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (length > 0 && Number.isFinite(length)) return vector.map((value) => value / length);
  const message = `${provider} gave a vector without a direction for ${model}: choose another model for PLUMBLINE_EMBEDDING`;
  throw new ModelError('bad_model', message, { retryable: false });
}
