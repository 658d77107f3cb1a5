import type { Provider, TokenUsage } from '../../domain/contracts/models.ts';
import { ModelError } from './port.ts';
import {
  errorRows,
  otherRefusal,
  otherServerError,
  quotableWords,
  statusOfWord,
  type ErrorRow,
} from './provider-errors-table.ts';
import type { ProviderFault } from './provider-fault.ts';
import { retryAfterMs } from './provider-retry-after.ts';

/** Whom a call was for. */
export interface Callee {
  provider: Exclude<Provider, 'local'>;
  model: string;
  /** Set where it was for vectors and not for an answer. */
  embedding?: true;
}

type AnswerFault = Extract<ProviderFault, { kind: 'answer' }>;

const keyOf = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
};
const addressOf = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
};
const serverOf = {
  anthropic: "an answer of Anthropic's API",
  openai: "an answer of OpenAI's API",
  'openai-compatible': 'an answer of an OpenAI-compatible server',
};

/**
 * The one place where a failure at a provider becomes a `ModelError`: connections and timeouts are retried; `x-should-retry` decides over the
 * status unless the cause is certain; then the rows. Messages name provider, model, status and what to do; of the provider's own text they
 * repeat nothing, and the SDK's error, which holds the request, is not kept as `cause`.
 */
export function toModelError(fault: ProviderFault, callee: Callee, usage: TokenUsage | null): ModelError {
  const { provider, model } = callee;
  switch (fault.kind) {
    case 'answer':
      return answered(fault, callee, usage);
    case 'connection': {
      const why = fault.code === null ? '' : ` (${fault.code})`;
      const message = `${provider} could not be reached for ${model}${why}: check that it runs, the network and ${addressOf[provider]}`;
      return new ModelError('unavailable', message, { retryable: true, usage });
    }
    case 'timeout': {
      const what = fault.silent ? `fell silent within its answer for ${model}` : `did not answer for ${model} in time`;
      return new ModelError('timeout', `${provider} ${what}`, { retryable: true, usage });
    }
    case 'broken':
      return new ModelError('stream_broken', `the answer of ${provider} for ${model} broke off`, {
        retryable: true,
        usage,
      });
    case 'foreign': {
      const message = `what ${provider} answered for ${model} does not look like ${serverOf[provider]}: check ${addressOf[provider]}`;
      return new ModelError('unavailable', message, { retryable: true, usage });
    }
  }
}

function answered(fault: AnswerFault, { provider, model, embedding }: Callee, usage: TokenUsage | null): ModelError {
  const status = fault.status ?? streamStatus(fault);
  const row =
    errorRows.find((candidate) => fits(candidate, status, fault)) ?? (status >= 500 ? otherServerError : otherRefusal);
  const wish = fault.headers?.get('x-should-retry');
  const retryable = row.certain || (wish !== 'true' && wish !== 'false') ? row.retry : wish === 'true';
  const what = [...new Set(fault.types.filter((word) => quotableWords.has(word)))].join(', ');
  const told = fault.status === null ? `told an error in its answer for ${model}` : `answered ${status} for ${model}`;
  const remedy = ((embedding && row.embeddingRemedy) ?? row.remedy).replace('{address}', addressOf[provider]);
  const message = `${provider} ${told}${what && ` (${what})`}: ${remedy}${row.code === 'unauthorized' ? `; set ${keyOf[provider]}` : ''}`;
  return new ModelError(row.code, message, {
    retryable,
    retryAfterMs: retryable ? retryAfterMs(fault.headers) : null,
    usage,
  });
}

function fits(row: ErrorRow, status: number, fault: AnswerFault): boolean {
  // An error event of a compatible server may have nothing but a text.
  const untold = fault.status === null && row.text !== undefined;
  if (!covers(row.status, status) && !untold) return false;
  if (row.words) return row.words.some((word) => fault.types.includes(word));
  return row.text?.test(fault.message) ?? true;
}

function covers(of: ErrorRow['status'], status: number): boolean {
  if (of === '3xx') return status >= 300 && status < 400;
  return of === 'any' || of === status;
}

/** Compatible servers put the status itself as the code of an error event. */
function streamStatus({ types }: AnswerFault): number {
  const numeric = types.map(Number).find((code) => code >= 400 && code < 600);
  return numeric ?? types.map((word) => statusOfWord[word]).find((status) => status !== undefined) ?? 500;
}
