import type { Response } from 'express';
import type { EventsPort } from '../adapters/store/port.ts';
import type { FoundQuestion } from '../client/found-question.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { LiveEvent } from '../domain/contracts/events.ts';
import type { SeenEvent } from './request-headers.ts';
import { RunReader } from './run-reader.ts';

export interface StreamTimes {
  /** A comment is sent when nothing else was for that long, so that proxies keep the connection. */
  keepAliveMs: number;
  /** How often the run itself is asked when the bus is silent: events of workers elsewhere come only so. */
  pollMs: number;
}

export const streamTimes: StreamTimes = { keepAliveMs: 10_000, pollMs: 1000 };

interface StreamOptions {
  found: FoundQuestion;
  plumbline: PlumblineClient;
  events: EventsPort;
  times: StreamTimes;
  /** The last event that the reader has. */
  seen: SeenEvent;
}

/**
 * Sends the events of a run as they happen, in order, each once, until the one that ends it. A reader who has had that one gets 204, at which
 * browsers stop coming back. One who has had events of a run that was resumed since gets all of the newest run.
 */
export async function streamEvents(
  { found, plumbline, events, times, seen }: StreamOptions,
  res: Response,
): Promise<void> {
  const mark = markOf(found);
  const after = seen.mark === mark ? seen.seq : 0;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const closed = found.description.status.name !== 'RUNNING';
  if (closed && after > 0 && (await endedBefore({ found, plumbline, after, signal: gone.signal })))
    return void res.status(204).end();

  res.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  res.write(`retry: 2000\n: events of ${found.id}\n\n`);
  if (seen.seq > after)
    res.write(frame({ type: 'text-reset', at: new Date().toISOString(), reason: 'the run was resumed' }, mark));
  const keepAlive = setInterval(() => res.write(': still here\n\n'), times.keepAliveMs);
  const reader = new RunReader({ found, plumbline, events, pollMs: times.pollMs, after, signal: gone.signal });
  try {
    for await (const event of reader.events()) {
      res.write(frame(event, mark));
      keepAlive.refresh();
    }
  } finally {
    clearInterval(keepAlive);
    res.end();
  }
}

async function endedBefore({
  found,
  plumbline,
  after,
  signal,
}: {
  found: FoundQuestion;
  plumbline: PlumblineClient;
  after: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const progress = await plumbline.progressOf(found, signal);
  return progress !== null && progress.events.length > 0 && progress.events.every(({ seq }) => seq <= after);
}

function markOf({ description }: FoundQuestion): string {
  return description.raw.workflowExtendedInfo?.lastResetTime ? description.runId.slice(0, 8) : '';
}

/** JSON holds no raw line break, so one `data` line carries it whole. Text has no id: a reader who comes back goes on after the last step. */
function frame(event: LiveEvent, mark: string): string {
  const id = 'seq' in event ? `id: ${event.seq}${mark && `-${mark}`}\n` : '';
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
