import { createParser } from 'eventsource-parser';
import type { Outcome } from '../../domain/contracts/answer.ts';
import type { LiveEvent } from '../../domain/contracts/events.ts';
import type { Service } from './ask-over-http.ts';

export interface Watched {
  id: string;
  /** From sending the request to the first piece of the answer's text; null when none came. */
  firstTextMs: number | null;
  /** From sending the request to the event that ends the run. */
  ms: number;
  outcome: Outcome;
}

/** Asks, follows the run's events as a page would, and reads the outcome. `onEvent` may act on what happens. */
export async function watchOverHttp(
  { apiUrl, principals }: Service,
  asked: { question: string; policy: string; onEvent?: (event: LiveEvent, id: string) => void },
): Promise<Watched> {
  const headers = { authorization: `Bearer ${principals.token}`, 'content-type': 'application/json' };
  const begin = performance.now();
  const { question, policy } = asked;
  const body = JSON.stringify({ question, policy });
  const posted = await fetch(`${apiUrl}/v1/questions`, { method: 'POST', headers, body });
  if (posted.status !== 202) throw new Error(`not accepted: ${posted.status} ${await posted.text()}`);
  const { id } = (await posted.json()) as { id: string };

  let firstTextMs: number | null = null;
  const stream = await fetch(`${apiUrl}/v1/questions/${id}/events`, { headers });
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = JSON.parse(data) as LiveEvent;
      if (event.type === 'text-delta') firstTextMs ??= performance.now() - begin;
      asked.onEvent?.(event, id);
    },
  });
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(chunk);
  const ms = performance.now() - begin;
  const outcome = (await (await fetch(`${apiUrl}/v1/questions/${id}`, { headers })).json()) as Outcome;
  return { id, firstTextMs, ms, outcome };
}
