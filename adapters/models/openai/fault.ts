import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAIError } from 'openai';
import { networkCode, words, type ProviderFault } from '../provider-fault.ts';

/** What an error of OpenAI's SDK says; null for any other error. */
export function openAiFault(error: unknown): ProviderFault | null {
  if (error instanceof APIConnectionTimeoutError) return { kind: 'timeout', silent: false };
  if (error instanceof APIConnectionError) return { kind: 'connection', code: networkCode(error) ?? null };
  // What the SDK throws without having made an error of an answer: a stream that has no body.
  if (!isApiError(error)) return error instanceof OpenAIError ? { kind: 'foreign' } : null;
  const { status, headers, code, type, message } = error;
  return { kind: 'answer', status: status ?? null, headers: headers ?? null, types: words(code, type), message };
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
