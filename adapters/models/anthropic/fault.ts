import { APIConnectionError, APIConnectionTimeoutError, APIError, AnthropicError } from '@anthropic-ai/sdk';
import { networkCode, words, type ProviderFault } from '../provider-fault.ts';

/** What an error of Anthropic's SDK says; null for any other error. */
export function anthropicFault(error: unknown): ProviderFault | null {
  if (error instanceof APIConnectionTimeoutError) return { kind: 'timeout', silent: false };
  if (error instanceof APIConnectionError) return { kind: 'connection', code: networkCode(error) ?? null };
  // What the SDK throws without having made an error of an answer: a stream that has no body.
  if (!isApiError(error)) return error instanceof AnthropicError ? { kind: 'foreign' } : null;
  const { status, headers, type, errorCode, message } = error;
  return { kind: 'answer', status: status ?? null, headers: headers ?? null, types: words(errorCode, type), message };
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
