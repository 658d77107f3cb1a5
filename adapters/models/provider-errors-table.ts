import type { ModelErrorCode } from './port.ts';

/** What an answer with an error status means. */
export interface ErrorRow {
  status: number | '3xx' | 'any';
  /** One of the provider's words for the kind of error. */
  words?: readonly string[];
  /** Where no word tells: what its text says. The text itself goes nowhere. */
  text?: RegExp;
  code: ModelErrorCode;
  retry: boolean;
  /** Holds whatever `x-should-retry` says: the same call can only fail again. */
  certain?: true;
  /** `{address}` stands for the setting that holds the provider's address. */
  remedy: string;
  /** In its place where the call was for vectors. */
  embeddingRemedy?: string;
}

const tooLong =
  'the request is longer than its context: choose a model with a larger one, or lower refine.contextTokens';
const textTooLong =
  'a text is longer than this model reads: choose another for PLUMBLINE_EMBEDDING, or give the server a larger context';
const batchTooLarge =
  'the texts of one request are more than it takes: raise the limits of the server or account, or choose another model for PLUMBLINE_EMBEDDING';
const wrongEmbedding = 'it does not take this request: check model and dimensions of PLUMBLINE_EMBEDDING';
const noCredit = 'its credit or quota is used up: add credit or raise the limit with the provider';
const filtered = "the provider's content filter stopped it";
const tooLarge = 'the request is larger than the provider takes: lower refine.contextTokens or retrieval.k';

/** From the special to the general; the first row that fits decides. */
export const errorRows: readonly ErrorRow[] = [
  {
    status: 'any',
    words: [
      'insufficient_quota',
      'billing_error',
      'billing_hard_limit_reached',
      'billing_not_active',
      'quota_exceeded',
      'credits_exhausted',
      'contract_spend_limit_reached',
      'enforced_spend_limit_reached',
    ],
    code: 'insufficient_quota',
    retry: false,
    certain: true,
    remedy: noCredit,
  },
  // Anthropic tells both as `invalid_request_error`.
  {
    status: 400,
    text: /credit balance is too low|reached your specified (workspace )?API usage limits/i,
    code: 'insufficient_quota',
    retry: false,
    certain: true,
    remedy: noCredit,
  },
  {
    status: 'any',
    words: ['context_length_exceeded', 'exceed_context_size_error', 'model_context_window_exceeded'],
    code: 'context_too_long',
    retry: false,
    certain: true,
    remedy: tooLong,
    embeddingRemedy: textTooLong,
  },
  // Anthropic; vLLM and OpenAI; LM Studio; llama.cpp.
  {
    status: 400,
    text: /prompt is too long|input length and `?max_tokens`? exceed|maximum (context|model|input) length|context length of only|exceeds? the (available |model's )?(maximum )?context|exceed n_ctx/i,
    code: 'context_too_long',
    retry: false,
    certain: true,
    remedy: tooLong,
    embeddingRemedy: textTooLong,
  },
  {
    status: 400,
    words: ['content_filter', 'content_policy_violation', 'ResponsibleAIPolicyViolation'],
    code: 'content_filtered',
    retry: false,
    certain: true,
    remedy: filtered,
  },
  {
    status: '3xx',
    code: 'invalid_request',
    retry: false,
    certain: true,
    remedy: 'a redirect, which is not followed: set {address} to where it leads',
  },
  // One request alone is over the limit of tokens a minute: waiting does not help.
  {
    status: 429,
    text: /^(\d{3} )?Request too large for/i,
    code: 'too_large',
    retry: false,
    certain: true,
    remedy: tooLarge,
    embeddingRemedy: batchTooLarge,
  },
  {
    status: 400,
    code: 'invalid_request',
    retry: false,
    remedy: "it does not take this request: check the policy's model options",
    embeddingRemedy: wrongEmbedding,
  },
  { status: 401, code: 'unauthorized', retry: false, remedy: 'the key is not accepted' },
  { status: 402, code: 'insufficient_quota', retry: false, certain: true, remedy: noCredit },
  {
    status: 403,
    code: 'forbidden',
    retry: false,
    remedy: 'the key may not use this model here: check its permissions and region',
  },
  {
    status: 404,
    code: 'not_found',
    retry: false,
    remedy: "it has no such model, or the address is wrong: check the policy's model name",
    embeddingRemedy: 'it has no such model, or the address is wrong: check the name in PLUMBLINE_EMBEDDING',
  },
  { status: 408, code: 'timeout', retry: true, remedy: 'it ran out of time' },
  { status: 409, code: 'conflict', retry: true, remedy: 'another request was in the way' },
  { status: 413, code: 'too_large', retry: false, remedy: tooLarge, embeddingRemedy: batchTooLarge },
  {
    status: 422,
    code: 'invalid_request',
    retry: false,
    remedy: "it does not take this request: check the policy's model options",
    embeddingRemedy: wrongEmbedding,
  },
  { status: 429, code: 'rate_limited', retry: true, remedy: 'too many requests or tokens a minute' },
  { status: 502, code: 'unavailable', retry: true, remedy: 'it could not be reached behind its gateway' },
  { status: 503, code: 'overloaded', retry: true, remedy: 'it is overloaded or down' },
  { status: 504, code: 'timeout', retry: true, remedy: 'it ran out of time' },
  { status: 529, code: 'overloaded', retry: true, remedy: 'it is overloaded' },
];

export const otherServerError: ErrorRow = { status: 'any', code: 'server_error', retry: true, remedy: 'it failed' };
export const otherRefusal: ErrorRow = {
  status: 'any',
  code: 'invalid_request',
  retry: false,
  remedy: 'it refuses the request',
};

/** The status that an error event inside of a 200 would have had, by its type or code. */
export const statusOfWord: Record<string, number> = {
  invalid_request_error: 400,
  BadRequestError: 400,
  context_length_exceeded: 400,
  content_filter: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  NotFoundError: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  InternalServerError: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Words of providers that may stand in our messages. Anything else could be an echo of what was sent. */
export const quotableWords = new Set([
  ...Object.keys(statusOfWord),
  ...errorRows.flatMap((row) => row.words ?? []),
  'tokens',
  'requests',
  'unsupported_parameter',
  'unsupported_value',
  'invalid_value',
  'invalid_json_schema',
  'unsupported_country_region_territory',
  'ramp_limit_exceeded',
]);
