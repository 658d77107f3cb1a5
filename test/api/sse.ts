import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { LiveEvent, StepEvent } from '../../domain/contracts/events.ts';

/** An event stream being read. */
export interface Sse {
  response: Response;
  /** All steps until the server ends the stream. */
  rest(): Promise<StepEvent[]>;
  /** The next step; text that comes before it is in `all`. */
  next(): Promise<StepEvent | null>;
  /** Steps and text so far, as they came. */
  all: LiveEvent[];
  comments: string[];
  /** One for each of `all`. */
  ids: string[];
}

export function readSse(response: Response): Sse {
  const comments: string[] = [];
  const ids: string[] = [];
  const all: LiveEvent[] = [];
  const messages = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment: (comment) => comments.push(comment) }));
  const reader = messages.getReader();
  const next = async (): Promise<StepEvent | null> => {
    const { done, value } = await reader.read();
    if (done) return null;
    const event = JSON.parse(value.data) as LiveEvent;
    if (value.event !== event.type) throw new Error(`event ${String(value.event)} carries ${event.type}`);
    all.push(event);
    ids.push(value.id ?? '');
    return 'seq' in event ? event : next();
  };
  return {
    response,
    all,
    comments,
    ids,
    next,
    rest: async () => {
      const events: StepEvent[] = [];
      for (let event = await next(); event; event = await next()) events.push(event);
      return events;
    },
  };
}
