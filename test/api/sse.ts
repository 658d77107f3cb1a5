import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { StepEvent } from '../../domain/contracts/events.ts';

/** An event stream being read. */
export interface Sse {
  response: Response;
  /** All events until the server ends the stream. */
  rest(): Promise<StepEvent[]>;
  next(): Promise<StepEvent | null>;
  comments: string[];
  ids: string[];
}

export function readSse(response: Response): Sse {
  const comments: string[] = [];
  const ids: string[] = [];
  const messages = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment: (comment) => comments.push(comment) }));
  const reader = messages.getReader();
  const next = async () => {
    const { done, value } = await reader.read();
    if (done) return null;
    const event = JSON.parse(value.data) as StepEvent;
    if (value.event !== event.type) throw new Error(`event ${String(value.event)} carries ${event.type}`);
    ids.push(value.id ?? '');
    return event;
  };
  return {
    response,
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
