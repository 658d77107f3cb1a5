import { createInProcessEvents } from '../adapters/store/in-process-events.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import { createRedisEvents } from '../adapters/store/redis-events.ts';
import type { Closers } from './closers.ts';
import type { Settings } from './settings.ts';

/**
 * Live events of runs: through Redis when the settings name one, else within this process. Without Redis the readers of a worker elsewhere take
 * them from the runs themselves, about once a second.
 */
export async function openEvents(
  { redisUrl, temporal }: Settings,
  { closers, say }: { closers: Closers; say: (line: string) => void },
): Promise<EventsPort> {
  const events =
    redisUrl === null
      ? createInProcessEvents()
      : await createRedisEvents({ url: redisUrl, name: temporal.namespace, onTrouble: say });
  closers.add('the events', () => events.close());
  return events;
}
