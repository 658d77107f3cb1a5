import { withDeadline } from '../deadline.ts';
import { type SearchWatch, WebSearchError } from '../port.ts';
import { searchFailure, statusFailure } from './failure.ts';

/** Thirty whole pages of 200 kB, and some. */
const maxAnswerBytes = 8_000_000;

export interface SearchCall {
  provider: string;
  url: URL;
  init: RequestInit;
  timeoutMs: number;
  signal: AbortSignal;
  watch: SearchWatch | undefined;
}

/** One request; the answer's JSON. No redirect is followed: it would take query and key elsewhere. @throws WebSearchError */
export async function callSearch({ provider, url, init, timeoutMs, signal, watch }: SearchCall): Promise<unknown> {
  const overTime = () =>
    new WebSearchError('timeout', `${provider} gave no answer within ${timeoutMs} ms.`, { provider, retryable: true });
  return withDeadline(
    async (stop) => {
      try {
        stop.throwIfAborted();
        watch?.sending();
        const response = await fetch(url, { ...init, redirect: 'manual', signal: stop });
        const text = await readText(response, provider);
        if (!response.ok) throw statusFailure(provider, response, text);
        return parsed(text, provider);
      } catch (error) {
        throw searchFailure(provider, error);
      }
    },
    { signal, timeoutMs, overTime },
  );
}

async function readText(response: Response, provider: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxAnswerBytes) {
      throw new WebSearchError('bad_response', `${provider} sent more than ${maxAnswerBytes} bytes.`, {
        provider,
        retryable: false,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string, provider: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebSearchError('bad_response', `${provider} sent an answer that is no JSON.`, {
      provider,
      retryable: true,
    });
  }
}
