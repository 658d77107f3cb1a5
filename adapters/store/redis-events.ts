import { createClient } from 'redis';
import { liveEventSchema } from '../../domain/contracts/events.ts';
import { createInProcessEvents } from './in-process-events.ts';
import type { EventsPort } from './port.ts';

export interface RedisEventsOptions {
  /** redis:// or rediss:// (TLS), with user and password where the server wants them. */
  url: string;
  /** Sets installations that share one Redis apart; letters, digits, dot, hyphen and underscore only. */
  name: string;
  /** Told once when Redis is lost, once when it is back, and when something arrives that is no event. */
  onTrouble: (message: string) => void;
}

type Client = ReturnType<typeof clientOf>;

/** How long the start waits for Redis before it goes on without. */
const patienceMs = 1000;
const longestPauseMs = 3000;

/**
 * Events through Redis publish/subscribe, for workers and readers in different processes. Nothing is stored there: an event that nobody listens
 * to, or that comes while Redis is away, is gone, as the port allows. A process that listens takes the events of all runs in one subscription
 * and deals them out itself, so that no event falls between a reader's coming and Redis's knowing of it.
 */
export async function createRedisEvents({ url, name, onTrouble }: RedisEventsOptions): Promise<EventsPort> {
  const prefix = `plumbline:${name}:events:`;
  const local = createInProcessEvents();
  const trouble = outageReporter(onTrouble);
  const publisher = clientOf(url, { disableOfflineQueue: true });
  const subscriber = publisher.duplicate({ disableOfflineQueue: false });
  const closing = new AbortController();
  const open = (client: Client) => {
    client.on('error', (error: Error) => trouble.lost(error));
    client.on('ready', () => trouble.back());
    return client.connect().catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    });
  };
  await Promise.race([open(publisher), pause(patienceMs)]);

  const receive = (message: string, channel: string) => {
    try {
      local.publish(channel.slice(prefix.length), liveEventSchema.parse(JSON.parse(message)));
    } catch (error) {
      onTrouble(`An event from Redis could not be passed on: ${messageOf(error)}`);
    }
  };
  let listening: Promise<void> | null = null;
  const listen = async () => {
    await open(subscriber);
    if (!closing.signal.aborted) await subscriber.pSubscribe(`${prefix}*`, receive);
  };
  const reportUnlessClosing = (error: unknown) => {
    if (!closing.signal.aborted) trouble.lost(error);
  };
  return {
    publish(workflowId, event) {
      if (!publisher.isReady) return;
      publisher.publish(prefix + workflowId, JSON.stringify(event)).catch(reportUnlessClosing);
    },
    subscribe(workflowId, listener) {
      // A process that only publishes, as a worker does, never gets its own events back.
      listening ??= listen().catch(reportUnlessClosing);
      return local.subscribe(workflowId, listener);
    },
    async close() {
      closing.abort();
      await local.close();
      await Promise.all([publisher, subscriber].map(end));
      await listening;
    },
  };
}

function clientOf(url: string, { disableOfflineQueue }: { disableOfflineQueue: boolean }) {
  return createClient({
    url,
    disableOfflineQueue,
    // A connection that was cut without a word is noticed by the pings.
    pingInterval: 10_000,
    socket: {
      socketTimeout: 30_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, longestPauseMs) + Math.random() * 50,
    },
  });
}

/** What was published before has left; a client that never got through is dropped. */
async function end(client: Client): Promise<void> {
  if (client.isReady) await client.close();
  else if (client.isOpen) client.destroy();
}

/** Both connections fail together and try again for ever: one line for the outage, one for its end. */
function outageReporter(onTrouble: (message: string) => void) {
  let away = false;
  return {
    lost(error: unknown) {
      if (away) return;
      away = true;
      onTrouble(`Redis cannot be used (${messageOf(error)}). Live events come by polling until it can.`);
    },
    back() {
      if (away) onTrouble('Redis is back.');
      away = false;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
