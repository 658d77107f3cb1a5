import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { networkCode, words, type ProviderFault } from '../provider-fault.ts';

/** What an error of OpenAI's SDK says; null for any other error. */
export function openAiFault(error: unknown): ProviderFault | null {
  if (error instanceof APIConnectionTimeoutError) return { kind: 'timeout', silent: false };
  if (error instanceof APIConnectionError) return { kind: 'connection', code: networkCode(error) ?? null };
  if (!isApiError(error)) return null;
  const { status, headers, code, type, message } = error;
  return { kind: 'answer', status: status ?? null, headers: headers ?? null, types: words(code, type), message };
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
